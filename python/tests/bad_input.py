"""What users do wrong has the same message in the command and, without its options, in Python: run where it is installed."""
import json
import subprocess
import tomllib
from pathlib import Path
import mechanical_fmus as m

SETTINGS = [
    ("bashing", {}),
    ("systems", {}),
    ("bushing", {"TS": [1, 2]}),
    ("bushing", {"TS": "stiff"}),
    ("bushing", {"TS": [-1, 1, 1]}),
    ("bushing", {"TS": [float("nan"), 1, 1]}),
    ("bushing", {"TSS": [1, 1, 1]}),
    ("bushing", {"sensor_T": 3}),
    ("bushing", {"sensor_T": "perhaps"}),
    ("bushing", {"momentLaw": "gimball"}),
    ("bushing", {"RotSeq": [1, 1, 2]}),
    ("bushing", {"law_TS": "curve", "TS_data": [[0, 1], [0, 2]]}),
    ("bushing", {"law_TS": "curve", "DCM_TS": "attachment"}),
    ("bushing", {"law_TS": "curve", "DCM_TS": "attachment", "TS_data": {"file": "nowhere.csv"}}),
    ("bushing", {"law_TS": "curve", "DCM_TS": "attachment", "TS_data": {"file": "words.csv"}}),
    ("bushing", {"law_TS": "curve", "DCM_TS": "attachment", "TS_data": {"file": "words.csv", "sheet": "a"}}),
    ("bushing", {"nonlinear_TS": True, "TS_table": [[1, 1, 1, 1], [0, 2, 2, 2]]}),
    ("bushing", {"name": "1st"}),
    ("bushing", {"name": "end"}),
    ("bushing", {"fmi": 4}),
    ("clutch", {"fn_max": -1}),
    ("clutch", {"peak": 0.5}),
    ("clutch", {"mue_pos": [[0, 0.5], [0, 0.4]]}),
    ("clutch", {"mue_pos": [[0, -0.5]]}),
    ("gripper", {"useActiveLevel": "on"}),
    ("joint-rrr", {"n_a": [0, 0, 0]}),
    ("joint-rrr", {"n_a": [0, 0]}),
    ("joint-ups", {"rod": 1}),
]

SHAFTS = "[parts]\na = { type = 'Inertia' }\nb = { type = 'Inertia' }\n"
SPACE = "[parts]\nworld = { type = 'World' }\n"
FILES = [
    "",
    "component = ",
    "component = 'bashing'",
    "component = 'bushing'\nTS = [1, 1, 1]",
    "component = 'bushing'\nparameters.TT = 1",
    "component = 'bushing'\nparameters = 1",
    "component = 'bushing'\nparameters.TS = [1, 1, 1]\nparameters.TS = [2, 2, 2]",
    "component = 'bushing'\nstart.'frame_b.r_0' = [0, 0]",
    "component = 'bushing'\nexperiment.stop = -1",
    "component = 'bushing'\n[parts]\na = { type = 'Inertia' }",
    "[parts]",
    "[parts]\na = 1",
    "[parts]\na = {}",
    "[parts]\na = { type = 'Inertial' }",
    "[parts]\na = { type = 'Inertia', J = -1 }",
    "[parts]\na = { type = 'Inertia', J = [1] }",
    "[parts]\na = { type = 'Inertia', mass = 1 }",
    "[parts]\na = { type = 'Inertia', flange_a = 'a.flange_b' }",
    "[parts]\na = { type = 'Spring', c = 1 }",
    SHAFTS + "c = { type = 'Spring', c = 1, flange_a = 'a.flange_c', flange_b = 'b.flange_a' }",
    SHAFTS + "c = { type = 'Spring', c = 1, flange_a = 'q.flange_a', flange_b = 'b.flange_a' }",
    SHAFTS + "c = { type = 'IdealGear', ratio = 0, flange_a = 'a.flange_b', flange_b = 'b.flange_a' }",
    SHAFTS + "m = { type = 'Mass', m = 1 }\nc = { type = 'Spring', c = 1, flange_a = 'm.flange_a', flange_b = 'b.flange_a' }",
    "[parts]\na = { type = 'Spring', c = 1 }\nb = { type = 'Spring', c = 1, flange_a = 'a.flange_b' }",
    SHAFTS + "c = { type = 'Clutch', flange_a = 'a.flange_b', flange_b = 'b.flange_a', fn_max = -1 }",
    SHAFTS + "d = { type = 'Position', flange = 'a.flange_a' }\ne = { type = 'Position', flange = 'a.flange_b' }",
    SHAFTS + "outputs = ['c.phi']",
    SPACE + "body = { type = 'Body', frame_a = 'world.frame_b', m = -1 }",
    SPACE + "hinge = { type = 'Revolute', frame_a = 'world.frame_b', n = [0, 0, 0] }",
    SPACE + "hinge = { type = 'Revolute', frame_a = 'world.frame_b' }",
    SPACE + "hinge = { type = 'Revolute' }\nbody = { type = 'Body', m = 1, frame_a = 'hinge.frame_b' }",
]


def message(*arguments: str) -> str:
    """What the command says."""
    ended = subprocess.run(["mechanical-fmus", *arguments], capture_output=True, text=True)
    assert ended.returncode == 1, (arguments, ended)
    notes, _, text = ended.stderr.rpartition("error: ")
    assert "error" not in notes, ended.stderr
    return text.rstrip("\n")


def raised(call, *arguments, **settings) -> str:
    try:
        call(*arguments, **settings)
    except (m.SettingsError, OSError) as error:
        return str(error)
    raise AssertionError((arguments, settings))


def value(name: str, given: object) -> str:
    """As on the command line."""
    if isinstance(given, dict):
        return f"--set={name}={{{', '.join(f'{json.dumps(key)} = {json.dumps(each)}' for key, each in given.items())}}}"
    return f"--set={name}={json.dumps(given).replace('NaN', 'nan')}"


Path("words.csv").write_text("displacement;force\nsmall;large\n")
for component, settings in SETTINGS:
    words = message("build", component, *(value(name, given) for name, given in settings.items()), "--out=bad")
    told = raised(m.build, component, settings, out="bad")
    named = words.replace("--set ", "").replace("--config FILE.toml", "give a dict, or the path of a .toml file")
    assert told == named, f"{told}\n{named}"
    assert len(words) > 20, words

for number, text in enumerate(FILES):
    file = Path(f"case{number}.toml")
    file.write_text(text.replace("'", '"'))
    words = message("build", f"--config={file}", "--out=bad")
    told = raised(m.build, file, out="bad")
    assert told == words, f"{told}\n{words}"
    assert words.startswith(str(file)), words
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        continue
    # Without places in a text: these are where a dict is written out.
    command, api = ([line.split(": ", 1)[-1] for line in text.splitlines()] for text in [words, raised(m.build, given, out="bad")])
    assert api == command, f"{api}\n{words}"
assert not Path("bad").exists()
print(len(SETTINGS) + len(FILES))
