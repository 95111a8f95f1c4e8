/* Runs a program and lets one of its file operations fail, whatever library it comes from.
 *
 *   tracer FOLDER NUMBER once|full|kill REPORT PROGRAM ARGUMENT...
 *
 * Counted are the system calls on files below FOLDER. The call of that NUMBER fails with EIO (once); from it on,
 * all that write fail with ENOSPC (full); or the program is killed instead (kill). REPORT gets the name of the call
 * and its path, or nothing if there are fewer calls. The exit status is that of the program. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the arguments of a call are: a path (p), a folder and a path (a), or the number of an open file (f). */
struct call {
    long number;
    const char *name;
    const char *arguments;
    int writes;
};

#define CALL(name, arguments, writes) { SYS_##name, #name, arguments, writes }
static const struct call calls[] = {
    CALL(open, "p", 0), CALL(creat, "p", 1), CALL(stat, "p", 0), CALL(lstat, "p", 0), CALL(access, "p", 0),
    CALL(mkdir, "p", 1), CALL(rmdir, "p", 0), CALL(unlink, "p", 0), CALL(chmod, "p", 1), CALL(truncate, "p", 1),
    CALL(readlink, "p", 0), CALL(rename, "pp", 1), CALL(link, "pp", 1), CALL(symlink, "pp", 1),
    CALL(openat, "a", 0), CALL(newfstatat, "a", 0), CALL(statx, "a", 0), CALL(faccessat, "a", 0),
    CALL(mkdirat, "a", 1), CALL(unlinkat, "a", 0), CALL(fchmodat, "a", 1), CALL(readlinkat, "a", 0),
    CALL(utimensat, "a", 1), CALL(renameat, "aa", 1), CALL(renameat2, "aa", 1), CALL(linkat, "aa", 1),
    CALL(read, "f", 0), CALL(write, "f", 1), CALL(pread64, "f", 0), CALL(pwrite64, "f", 1), CALL(readv, "f", 0),
    CALL(writev, "f", 1), CALL(fsync, "f", 1), CALL(fdatasync, "f", 1), CALL(ftruncate, "f", 1),
    CALL(fallocate, "f", 1), CALL(fchmod, "f", 1), CALL(fstat, "f", 0), CALL(close, "f", 0), CALL(lseek, "f", 0),
    CALL(getdents64, "f", 0), CALL(flock, "f", 0), CALL(copy_file_range, "f_f", 1), CALL(sendfile, "ff", 1),
};

static const char *folder;
static char path[2 * PATH_MAX + 2];

static int inside(void) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* The path of an open file or, for AT_FDCWD, of the working folder. */
static int path_of_file(pid_t thread, int file) {
    char link[64];
    if (file == AT_FDCWD) {
        snprintf(link, sizeof link, "/proc/%d/cwd", thread);
    } else {
        snprintf(link, sizeof link, "/proc/%d/fd/%d", thread, file);
    }
    ssize_t length = readlink(link, path, PATH_MAX);
    path[length < 0 ? 0 : length] = 0;
    return inside();
}

/* The path at an address of the program. */
static int path_at(pid_t thread, int file, unsigned long address) {
    char memory[64], text[PATH_MAX + 1];
    snprintf(memory, sizeof memory, "/proc/%d/mem", thread);
    int from = open(memory, O_RDONLY);
    /* The text may end just before a page that cannot be read. */
    ssize_t length = -1;
    for (size_t wanted = PATH_MAX; from >= 0 && length < 0 && wanted > 0; wanted /= 2) {
        length = pread(from, text, wanted, (off_t)address);
    }
    close(from);
    if (length < 0) {
        return 0;
    }
    text[length] = 0;
    if (text[0] == '/') {
        strcpy(path, text);
        return inside();
    }
    path_of_file(thread, file);
    if (text[0] != 0) {
        strcat(strcat(path, "/"), text);
    }
    return inside();
}

/* The call, if it concerns a file below the folder, whose path is then in `path`. */
static const struct call *concerned(pid_t thread, const struct __ptrace_syscall_info *info) {
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (calls[i].number != (long)info->entry.nr) {
            continue;
        }
        const __uint64_t *argument = info->entry.args;
        for (const char *form = calls[i].arguments; *form; form++, argument++) {
            int found = 0;
            if (*form == 'f') {
                found = path_of_file(thread, (int)*argument);
            } else if (*form == 'p') {
                found = path_at(thread, AT_FDCWD, *argument);
            } else if (*form == 'a') {
                found = path_at(thread, (int)argument[0], argument[1]);
                argument++;
            }
            if (found) {
                return &calls[i];
            }
        }
        return NULL;
    }
    return NULL;
}

static int writes(const struct call *call, const struct __ptrace_syscall_info *info) {
    int creates = (call->number == SYS_open && info->entry.args[1] & O_CREAT) ||
                  (call->number == SYS_openat && info->entry.args[2] & O_CREAT);
    return call->writes || creates;
}

int main(int count, char **arguments) {
    if (count < 6) {
        return 125;
    }
    folder = arguments[1];
    long number = atol(arguments[2]);
    int full = strcmp(arguments[3], "full") == 0, kills = strcmp(arguments[3], "kill") == 0;
    FILE *report = fopen(arguments[4], "w");
    pid_t program = fork();
    if (program == 0) {
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) {
            _exit(126);
        }
        raise(SIGSTOP);
        execvp(arguments[5], arguments + 5);
        _exit(127);
    }
    int status, result = 0;
    if (report == NULL || waitpid(program, &status, 0) != program || !WIFSTOPPED(status)) {
        return 126;
    }
    long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                   PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC;
    ptrace(PTRACE_SETOPTIONS, program, 0, options);
    ptrace(PTRACE_SYSCALL, program, 0, 0);
    long calls_so_far = 0;
    /* The threads whose call fails when it returns. */
    pid_t failing[256] = {0};
    int error = full ? ENOSPC : EIO;
    for (;;) {
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0) {
            return result;
        }
        if (!WIFSTOPPED(status)) {
            if (thread == program) {
                result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            }
            continue;
        }
        int signal = WSTOPSIG(status);
        if (signal == (SIGTRAP | 0x80)) {
            struct __ptrace_syscall_info info;
            ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info);
            size_t slot = (size_t)thread % (sizeof failing / sizeof *failing);
            if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
                const struct call *call = concerned(thread, &info);
                /* Nobody asks whether a file could be closed; what matters has been synchronised before. */
                if (call != NULL && call->number == SYS_close && !kills) {
                    call = NULL;
                }
                calls_so_far += call != NULL;
                int here = call != NULL && calls_so_far == number;
                if (here) {
                    fprintf(report, "%s %s", call->name, path);
                    fflush(report);
                }
                if (here && kills) {
                    kill(program, SIGKILL);
                    continue;
                }
                int fails = full ? call != NULL && calls_so_far >= number && writes(call, &info) : here;
                if (fails) {
                    ptrace(PTRACE_POKEUSER, thread, offsetof(struct user_regs_struct, orig_rax), -1L);
                    failing[slot] = thread;
                }
            } else if (failing[slot] == thread) {
                ptrace(PTRACE_POKEUSER, thread, offsetof(struct user_regs_struct, rax), (long)-error);
                failing[slot] = 0;
            }
            signal = 0;
        } else if (signal == SIGTRAP || signal == SIGSTOP) {
            signal = 0;
        }
        ptrace(PTRACE_SYSCALL, thread, 0, signal);
    }
}
