#!/bin/sh
# Makes the moving picture of the excavator from the page that plays its motion. Needs chromium and ImageMagick.
set -eu
cd "$(dirname "$0")/../.."
frames=target/frames
mkdir -p $frames
rm -f $frames/*
cargo xtask build --config examples/excavator.toml --out target/fmu/systems
cargo xtask simulate target/fmu/systems/Excavator.fmu --input examples/excavator.csv --step 0.01 --animate $frames/motion.html
for time in $(LC_ALL=C seq -w 0 0.3 8.7); do
    sed "s/let playing = .*/let playing = false, moment = $time;/" $frames/motion.html > "$frames/$time.html"
    chromium --headless --no-sandbox --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader \
        --hide-scrollbars --virtual-time-budget=500 --window-size=800,640 --screenshot="$frames/$time.png" \
        "file://$PWD/$frames/$time.html" 2> /dev/null
done
convert -delay 10 -loop 0 $frames/[0-9]*.png -crop 410x360+190+135 +repage -resize 65% +dither -colors 40 \
    -layers optimize docs/gallery/excavator.gif
