/* The clutch of models/clutch: both flanges with an inertia, one step from event to event in closed form. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    double a, phi, w;
} Motion;

enum { ROWS = 1 };

typedef struct {
    double f_normalized, tau_a, tau_b;
    double a_rel;
    Motion a, b;
    double lossPower, phi_rel, tau, w_rel;
    double peak, cgeo, fn_max;
    double w_small, K_locked, J_a, J_b, phi_a_start, w_a_start, phi_b_start, w_b_start;
    double mue_pos[ROWS][2];
} Variables;

enum { INPUTS = 3, OUTPUTS = 11, TUNABLES = 3, FIXEDS = 8 + 2 * ROWS };

enum Mode { BACKWARD = -1, STUCK, FORWARD, FREE };

/* What follows from the fixed parameters, and the mode. */
typedef struct {
    double per_inertia, inverse, share_a, share_b;
    /* From each speed on `mue + slope (speed - u)`. */
    struct Node {
        double u, mue, slope;
    } nodes[ROWS + 1];
    int nodes_count, mode;
    bool warned;
} Prepared;

#define START (Variables){.peak = 1, .cgeo = 1, .fn_max = 1, .w_small = 1e10, .J_a = 1, .J_b = 1, .mue_pos = {{0, 0.5}}}

#include "component.h"

static bool is_within(size_t real, double value) {
    const size_t at = real * sizeof(double);
    const bool is_start = at >= offsetof(Variables, phi_a_start) && at <= offsetof(Variables, w_b_start);
    return is_start || value >= (at == offsetof(Variables, peak) ? 1.0 : 0.0);
}

/* The last node not above a speed. */
static int node_at(const Prepared *p, double u) {
    int at = 0;
    while (at + 1 < p->nodes_count && p->nodes[at + 1].u <= u) {
        at++;
    }
    return at;
}

static double mue(const Prepared *p, int at, double u) {
    const double value = p->nodes[at].mue + (u - p->nodes[at].u) * p->nodes[at].slope;
    return value < 0.0 ? 0.0 : value;
}

static double normal(const Variables *v) { return v->cgeo * v->fn_max * v->f_normalized; }

/* The torque with which both sides accelerate alike. */
static double locking_torque(const Component *self) {
    return self->v.tau_b * self->prepared.share_a - self->v.tau_a * self->prepared.share_b;
}

/* The mode where the speed is known: by its sign, and at rest by the torque. */
static void settle(Component *self, double sa, double n) {
    Prepared *p = &self->prepared;
    const double w = self->v.w_rel, slide = p->nodes[0].mue * n;
    if (n <= 0.0) {
        p->mode = FREE;
    } else if (w != 0.0) {
        p->mode = w > 0.0 ? FORWARD : BACKWARD;
    } else if (!((p->mode == FORWARD && sa > slide) || (p->mode == BACKWARD && -sa > slide))) {
        const double limit = self->v.peak * slide;
        p->mode = sa > limit ? FORWARD : -sa > limit ? BACKWARD : STUCK;
    }
}

static bool initialise(Component *self) {
    Variables *v = &self->v;
    Prepared *p = &self->prepared;
    if (!(v->J_a > 0.0 && v->J_b > 0.0 && v->mue_pos[0][0] == 0.0)) {
        return false;
    }
    p->inverse = 1.0 / (v->J_a + v->J_b);
    p->per_inertia = (v->J_a + v->J_b) / (v->J_a * v->J_b);
    p->share_a = v->J_a * p->inverse;
    p->share_b = v->J_b * p->inverse;
    double slope = 0.0;
    for (int i = 0; i < ROWS; i++) {
        if (i + 1 < ROWS) {
            slope = (v->mue_pos[i + 1][1] - v->mue_pos[i][1]) / (v->mue_pos[i + 1][0] - v->mue_pos[i][0]);
        }
        p->nodes[i] = (struct Node){v->mue_pos[i][0], v->mue_pos[i][1], slope};
    }
    p->nodes_count = ROWS;
    if (slope < 0.0) {
        p->nodes[p->nodes_count++] = (struct Node){p->nodes[ROWS - 1].u - p->nodes[ROWS - 1].mue / slope, 0.0, 0.0};
    }
    v->a = (Motion){.phi = v->phi_a_start, .w = v->w_a_start};
    v->phi_rel = v->phi_b_start - v->phi_a_start;
    v->w_rel = v->w_b_start - v->w_a_start;
    p->mode = STUCK;
    settle(self, locking_torque(self), normal(v));
    return true;
}

static bool evaluate(Component *self) {
    Variables *v = &self->v;
    const Prepared *p = &self->prepared;
    const double n = normal(v), sa = locking_torque(self), u = fabs(v->w_rel);
    v->tau = p->mode == FREE ? 0.0 : p->mode == STUCK ? sa : p->mode * n * mue(p, node_at(p, u), u);
    v->a_rel = p->mode == STUCK ? -v->K_locked * v->w_rel : (sa - v->tau) * p->per_inertia;
    v->lossPower = p->mode == STUCK ? 0.0 : v->tau * v->w_rel;
    v->a.a = (v->tau_a + v->tau_b) * p->inverse - p->share_b * v->a_rel;
    v->b = (Motion){v->a.a + v->a_rel, v->a.phi + v->phi_rel, v->a.w + v->w_rel};
    return true;
}

/* (e^z - 1) / z and (e^z - 1 - z) / z^2 */
static void exponentials(double z, double *first, double *second) {
    if (fabs(z) > 0.5) {
        *first = expm1(z) / z;
        *second = (*first - 1.0) / z;
        return;
    }
    double sum = 1.0;
    for (int j = 16; j > 2; j--) {
        sum = 1.0 + sum * z / j;
    }
    *second = 0.5 * sum;
    *first = 1.0 + z * *second;
}

/* Slides for a time, at most up to the end of a stretch of the table; returns for how long. */
static double slide(Component *self, double sa, double n, double h) {
    Variables *v = &self->v;
    const Prepared *p = &self->prepared;
    const double direction = p->mode, u = direction * v->w_rel;
    int at = node_at(p, u);
    const double a = (direction * sa - mue(p, at, u) * n) * p->per_inertia;
    if (u == 0.0 && a <= 0.0) {
        return 0.0;
    }
    if (a <= 0.0 && at > 0 && p->nodes[at].u == u) {
        at--;
    }
    const double lo = p->nodes[at].u, hi = at + 1 < p->nodes_count ? p->nodes[at + 1].u : INFINITY;
    const double border = a > 0.0 ? hi : lo, b = -p->nodes[at].slope * n * p->per_inertia;
    double length = h, first = 1.0, second = 0.5;
    if (b != 0.0) {
        exponentials(b * h, &first, &second);
    }
    double end = u + a * h * first;
    if (a > 0.0 ? end >= border : end <= border) {
        const double ratio = (border - u) / a, x = b * ratio;
        length = x == 0.0 ? ratio : ratio * (log1p(x) / x);
        length = length < h ? length : h;
        exponentials(b * length, &first, &second);
        end = border;
    }
    v->phi_rel += direction * (u * length + a * length * length * second);
    v->w_rel = direction * end;
    return length;
}

static bool advance(Component *self, double h) {
    Variables *v = &self->v;
    Prepared *p = &self->prepared;
    const double n = normal(v), sa = locking_torque(self), a = (v->tau_a + v->tau_b) * p->inverse;
    const bool overshot = (p->mode == FORWARD || p->mode == BACKWARD) && p->mode * v->w_rel < 0.0;
    if (n > 0.0 && ((overshot && fabs(v->w_rel) <= v->w_small) || (p->mode == STUCK && v->w_rel != 0.0))) {
        v->a.w += p->share_b * v->w_rel;
        v->w_rel = 0.0;
    }
    double phi = v->a.phi + p->share_b * v->phi_rel, w = v->a.w + p->share_b * v->w_rel, rest = h;
    settle(self, sa, n);
    for (int pieces = 0; rest > 0.0 && p->mode != STUCK; pieces++) {
        if (pieces == 1000000) {
            return false;
        }
        if (p->mode == FREE) {
            v->phi_rel += (v->w_rel + 0.5 * sa * p->per_inertia * rest) * rest;
            v->w_rel += sa * p->per_inertia * rest;
            break;
        }
        rest -= slide(self, sa, n, rest);
        if (v->w_rel == 0.0) {
            p->mode = STUCK;
            settle(self, sa, n);
        }
    }
    phi += (w + 0.5 * a * h) * h;
    w += a * h;
    v->a.phi = phi - p->share_b * v->phi_rel;
    v->a.w = w - p->share_b * v->w_rel;
    return true;
}

static void complete(Component *self) {
    self->prepared.warned |= self->v.f_normalized > 1.0;
}
