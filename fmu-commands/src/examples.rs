//! Examples for the help of the commands.

/// The examples, by command; without the name of the program.
pub const EXAMPLES: [(&str, &[&str]); 10] = [
    (
        "build",
        &[
            "build bushing --set TS=[6e6,2.5e6,5e5] --set name=Front",
            "build --config configs/*.toml --out fmus",
            "build --config train.toml --strict",
        ],
    ),
    ("list", &["list", "list --json"]),
    (
        "info",
        &[
            "info bushing --set sensor_T=true",
            "info bushing --template soft.toml --schema bushing.schema.json",
            "info clutch --set \"mue_pos=[[0, 0.5], [9, 0.4]]\" --plot friction.svg",
            "info Front.fmu --json",
        ],
    ),
    ("convert", &["convert mount.gbs mount.toml"]),
    ("ssp", &["ssp Arm.ssp front=Front.fmu rear=Rear.fmu --input body=front.frame_a,rear.frame_a"]),
    ("validate", &["validate Front.fmu", "validate Front.fmu Rear.fmu --strict --json"]),
    (
        "simulate",
        &[
            "simulate Front.fmu --stop 0.5 --plot loads.svg",
            "simulate Front.fmu --input road.csv --set TS[1]=4e6 --output loads.csv",
            "simulate Front.fmu --interface model-exchange --show frame_a.f --plot loads.png",
        ],
    ),
    ("sweep", &["sweep stiffness.toml --output peaks.csv", "sweep stiffness.toml --points points.csv"]),
    (
        "linearize",
        &[
            "linearize Mount.fmu --output mount.mat",
            "linearize Mount.fmu --trim --inputs push.torque[1] --outputs roll.phi --plot stiffness.svg",
            "linearize Mount.fmu --trim --mode 2 --animate roll.html",
            "linearize Train.fmu --time 2 --output train.json",
        ],
    ),
    (
        "fit",
        &[
            "fit train-fit.toml --output train-found.toml --plot train.svg",
            "fit measured.csv --output rubber.toml --plot rubber.svg",
        ],
    ),
];

/// Adds the examples to the help of a program.
pub fn with_examples(mut command: clap::Command, program: &str) -> clap::Command {
    for (word, lines) in EXAMPLES {
        command = command.mut_subcommand(word, |of_word| {
            let mut help = of_word.get_after_help().map(|help| format!("{help}\n\n")).unwrap_or_default();
            help += "Examples:";
            for line in lines {
                help += &format!("\n  {program} {line}");
            }
            of_word.after_help(help)
        });
    }
    command
}
