//! The platforms of FMI: their folders, their library names, and how to recognise their code.

use fmu_exchange::Standard;

use crate::error::Error;

/// A platform for which an FMU can carry a binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Platform {
    /// x86-64 Linux.
    Linux64,
    /// x86 Linux.
    Linux32,
    /// AArch64 Linux.
    Aarch64Linux,
    /// x86-64 Windows.
    Win64,
    /// x86 Windows.
    Win32,
    /// AArch64 Windows.
    Aarch64Windows,
    /// x86-64 macOS.
    Darwin64,
    /// AArch64 macOS.
    Aarch64Darwin,
    /// WebAssembly, in the form of a draft of FMI: a component that needs nothing of a system. FMI 3.0 only.
    Wasm32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum System {
    Linux,
    Windows,
    Darwin,
    WebAssembly,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    X86,
    X86_64,
    Aarch64,
    Wasm32,
}

impl Platform {
    /// All platforms that the standards name.
    pub const ALL: [Platform; 8] = [
        Platform::Linux64,
        Platform::Linux32,
        Platform::Aarch64Linux,
        Platform::Win64,
        Platform::Win32,
        Platform::Aarch64Windows,
        Platform::Darwin64,
        Platform::Aarch64Darwin,
    ];

    /// Returns the platform of this computer.
    pub fn host() -> Result<Platform, Error> {
        Self::of(std::env::consts::ARCH, std::env::consts::OS)
            .ok_or_else(|| Error::Platform(format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)))
    }

    /// Returns the platform of a Rust target such as `x86_64-pc-windows-gnu`.
    pub fn from_target(triple: &str) -> Result<Platform, Error> {
        let architecture = triple.split('-').next().unwrap_or_default();
        let system = triple.split('-').skip(1).find_map(|part| match part {
            "linux" | "windows" => Some(part),
            "darwin" => Some("macos"),
            _ => None,
        });
        let architecture = if matches!(architecture, "i586" | "i686") { "x86" } else { architecture };
        system.and_then(|system| Self::of(architecture, system)).ok_or_else(|| Error::Platform(triple.to_owned()))
    }

    fn of(architecture: &str, system: &str) -> Option<Platform> {
        Some(match (architecture, system) {
            ("x86_64", "linux") => Platform::Linux64,
            ("x86", "linux") => Platform::Linux32,
            ("aarch64", "linux") => Platform::Aarch64Linux,
            ("x86_64", "windows") => Platform::Win64,
            ("x86", "windows") => Platform::Win32,
            ("aarch64", "windows") => Platform::Aarch64Windows,
            ("x86_64", "macos") => Platform::Darwin64,
            ("aarch64", "macos") => Platform::Aarch64Darwin,
            _ => return None,
        })
    }

    /// Returns the name of the folder below `binaries/` in FMI 2.0.
    pub fn folder(self) -> &'static str {
        match self {
            Platform::Linux64 => "linux64",
            Platform::Linux32 => "linux32",
            Platform::Aarch64Linux => "aarch64-linux",
            Platform::Win64 => "win64",
            Platform::Win32 => "win32",
            Platform::Aarch64Windows => "aarch64-windows",
            Platform::Darwin64 => "darwin64",
            Platform::Aarch64Darwin => "aarch64-darwin",
            Platform::Wasm32 => "wasm32",
        }
    }

    /// Returns the extension of a shared library, without the dot.
    pub fn extension(self) -> &'static str {
        match self.code().0 {
            System::Linux => "so",
            System::Windows => "dll",
            System::Darwin => "dylib",
            System::WebAssembly => "wasm",
        }
    }

    /// Returns the name of the folder below `binaries/` in FMI 3.0.
    pub(crate) fn tuple(self) -> &'static str {
        match self {
            Platform::Linux64 => "x86_64-linux",
            Platform::Linux32 => "x86-linux",
            Platform::Win64 => "x86_64-windows",
            Platform::Win32 => "x86-windows",
            Platform::Darwin64 => "x86_64-darwin",
            Platform::Wasm32 => "wasm32-wasip2",
            Platform::Aarch64Linux | Platform::Aarch64Windows | Platform::Aarch64Darwin => self.folder(),
        }
    }

    /// Returns the path of the binary inside an archive of FMI 2.0.
    pub fn entry(self, model_identifier: &str) -> String {
        self.entry_of(Standard::Fmi2, model_identifier)
    }

    /// Returns the path of the binary inside an archive of a standard.
    pub fn entry_of(self, standard: Standard, model_identifier: &str) -> String {
        let folder = match standard {
            Standard::Fmi2 => self.folder(),
            Standard::Fmi3 => self.tuple(),
        };
        format!("binaries/{folder}/{model_identifier}.{}", self.extension())
    }

    /// Checks that a binary is a library for this platform; the error says what it is instead.
    pub fn accepts(self, binary: &[u8]) -> Result<(), String> {
        let (system, machine) = self.code();
        match inspect(binary) {
            None => {
                let what = if self == Platform::Wasm32 { "component of WebAssembly" } else { "shared library" };
                Err(format!("is not a {what}, but {} needs one", self.folder()))
            }
            Some((found, machines)) if found == system && machines.contains(&machine) => Ok(()),
            Some((found, machines)) => {
                let name = Platform::ALL
                    .into_iter()
                    .chain([Platform::Wasm32])
                    .find(|platform| platform.code().0 == found && machines.contains(&platform.code().1))
                    .map_or("another platform", Platform::folder);
                Err(format!("is a library for {name}, not for {}", self.folder()))
            }
        }
    }

    fn code(self) -> (System, Machine) {
        match self {
            Platform::Linux64 => (System::Linux, Machine::X86_64),
            Platform::Linux32 => (System::Linux, Machine::X86),
            Platform::Aarch64Linux => (System::Linux, Machine::Aarch64),
            Platform::Win64 => (System::Windows, Machine::X86_64),
            Platform::Win32 => (System::Windows, Machine::X86),
            Platform::Aarch64Windows => (System::Windows, Machine::Aarch64),
            Platform::Darwin64 => (System::Darwin, Machine::X86_64),
            Platform::Aarch64Darwin => (System::Darwin, Machine::Aarch64),
            Platform::Wasm32 => (System::WebAssembly, Machine::Wasm32),
        }
    }
}

/// Returns the operating system and architectures of an ELF, PE or Mach-O file, or of a component of WebAssembly.
fn inspect(binary: &[u8]) -> Option<(System, Vec<Machine>)> {
    let word = |offset: usize| Some(u16::from_le_bytes(binary.get(offset..offset + 2)?.try_into().ok()?));
    let double = |offset: usize| Some(u32::from_le_bytes(binary.get(offset..offset + 4)?.try_into().ok()?));
    let of_darwin = |cpu: u32| match cpu {
        7 => Some(Machine::X86),
        0x0100_0007 => Some(Machine::X86_64),
        0x0100_000C => Some(Machine::Aarch64),
        _ => None,
    };
    match binary.get(..4)? {
        b"\x7fELF" => {
            let machine = match word(18)? {
                3 => vec![Machine::X86],
                62 => vec![Machine::X86_64],
                183 => vec![Machine::Aarch64],
                _ => vec![],
            };
            Some((System::Linux, machine))
        }
        [b'M', b'Z', ..] => {
            let header = double(0x3C)? as usize;
            if binary.get(header..header.checked_add(4)?)? != b"PE\0\0" {
                return None;
            }
            let machine = match word(header + 4)? {
                0x014C => vec![Machine::X86],
                0x8664 => vec![Machine::X86_64],
                0xAA64 => vec![Machine::Aarch64],
                _ => vec![],
            };
            Some((System::Windows, machine))
        }
        [0xCE | 0xCF, 0xFA, 0xED, 0xFE] => Some((System::Darwin, of_darwin(double(4)?).into_iter().collect())),
        // The second half of the version says that it is a component and not a module.
        b"\0asm" if word(6)? == 1 => Some((System::WebAssembly, vec![Machine::Wasm32])),
        // A universal binary is big-endian and has 20 bytes for each architecture.
        [0xCA, 0xFE, 0xBA, 0xBE] => {
            let count = double(4)?.swap_bytes().min(16) as usize;
            let machines = (0..count).filter_map(|i| of_darwin(double(8 + 20 * i)?.swap_bytes())).collect();
            Some((System::Darwin, machines))
        }
        _ => None,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Returns the first bytes of a binary for a platform.
    pub(crate) fn binary(platform: Platform) -> Vec<u8> {
        let mut bytes = vec![0; 128];
        match platform.code() {
            (System::Linux, machine) => {
                bytes[..4].copy_from_slice(b"\x7fELF");
                bytes[18] = match machine {
                    Machine::X86 => 3,
                    Machine::X86_64 => 62,
                    Machine::Aarch64 => 183,
                    Machine::Wasm32 => unreachable!(),
                };
            }
            (System::Windows, machine) => {
                bytes[..2].copy_from_slice(b"MZ");
                bytes[0x3C] = 0x40;
                bytes[0x40..0x44].copy_from_slice(b"PE\0\0");
                let code: u16 = match machine {
                    Machine::X86 => 0x014C,
                    Machine::X86_64 => 0x8664,
                    Machine::Aarch64 => 0xAA64,
                    Machine::Wasm32 => unreachable!(),
                };
                bytes[0x44..0x46].copy_from_slice(&code.to_le_bytes());
            }
            (System::Darwin, machine) => {
                bytes[..4].copy_from_slice(&[0xCF, 0xFA, 0xED, 0xFE]);
                bytes[4] = if machine == Machine::Aarch64 { 12 } else { 7 };
                bytes[7] = 1;
            }
            (System::WebAssembly, _) => bytes[..8].copy_from_slice(b"\0asm\x0d\0\x01\0"),
        }
        bytes
    }

    #[test]
    fn every_platform_accepts_its_own_binaries_only() {
        let all = Platform::ALL.into_iter().chain([Platform::Wasm32]);
        for platform in all.clone() {
            for other in all.clone() {
                assert_eq!(platform.accepts(&binary(other)).is_ok(), platform == other, "{platform:?} {other:?}");
            }
        }
        assert_eq!(
            Platform::Win64.accepts(&binary(Platform::Linux64)).unwrap_err(),
            "is a library for linux64, not for win64"
        );
        assert_eq!(
            Platform::Linux64.accepts(&binary(Platform::Wasm32)).unwrap_err(),
            "is a library for wasm32, not for linux64"
        );
        let module = b"\0asm\x01\0\0\0";
        assert_eq!(
            Platform::Wasm32.accepts(module).unwrap_err(),
            "is not a component of WebAssembly, but wasm32 needs one"
        );
        assert_eq!(Platform::Linux64.accepts(b"text").unwrap_err(), "is not a shared library, but linux64 needs one");
    }

    #[test]
    fn a_universal_binary_serves_both() {
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 2];
        for cpu in [0x0100_0007_u32, 0x0100_000C] {
            bytes.extend_from_slice(&cpu.to_be_bytes());
            bytes.extend_from_slice(&[0; 16]);
        }
        assert!(Platform::Darwin64.accepts(&bytes).is_ok());
        assert!(Platform::Aarch64Darwin.accepts(&bytes).is_ok());
        assert!(Platform::Linux64.accepts(&bytes).is_err());
    }

    #[test]
    fn truncated_headers_are_no_libraries() {
        for platform in Platform::ALL {
            for length in 0..binary(platform).len() {
                let _ = platform.accepts(&binary(platform)[..length]);
            }
        }
        let mut far = binary(Platform::Win64);
        far[0x3C..0x40].fill(0xFF);
        assert!(Platform::Win64.accepts(&far).is_err());
    }

    #[test]
    fn b2_targets_have_folders() {
        for (target, folder) in [
            ("x86_64-unknown-linux-gnu", "linux64"),
            ("i686-pc-windows-msvc", "win32"),
            ("x86_64-pc-windows-gnu", "win64"),
            ("aarch64-apple-darwin", "aarch64-darwin"),
        ] {
            assert_eq!(Platform::from_target(target).unwrap().folder(), folder);
        }
        assert_eq!(
            Platform::from_target("riscv64gc-unknown-linux-gnu").unwrap_err().to_string(),
            "FMI 2.0 has no binaries folder for the target \"riscv64gc-unknown-linux-gnu\""
        );
        assert_eq!(Platform::Linux64.entry("Spring"), "binaries/linux64/Spring.so");
        let path = Platform::Win64.entry_of(Standard::Fmi3, "Spring");
        assert_eq!(path, "binaries/x86_64-windows/Spring.dll");
        let path = Platform::Wasm32.entry_of(Standard::Fmi3, "Spring");
        assert_eq!(path, "binaries/wasm32-wasip2/Spring.wasm");
    }
}
