#!/usr/bin/env bash
#
# Makes the small real media files in fixtures/media. Run by hand only, from anywhere:
# the files are committed, and neither the build nor the tests need this script.
#
#   scripts/make-media.sh && npm run generate
#
# Needs ffmpeg (with libx264 and libmp3lame) and ImageMagick 6 or 7. Everything is drawn from
# formulas, without randomness and without metadata: the same tool versions give the same bytes.

set -euo pipefail
export LC_ALL=C

target="$(cd "$(dirname "$0")/.." && pwd)/fixtures/media"
masters="$(mktemp -d)"
trap 'rm -rf "$masters"' EXIT
magick="$(command -v magick || command -v convert)"
quality=47

main() {
  find "$target" -mindepth 1 -maxdepth 1 -type d -exec rm -rf {} +

  for name in dawn tide bloom ridge neon citrus frost dune; do
    "draw_$name" "$masters/$name.png"
    make_photo "photo-$name" "$masters/$name.png"
  done

  make_video video-waves 360x640 "$waves" silent
  make_video video-drift 640x360 "$drift" tone
  make_video video-spin 480x480 "$spin" silent

  make_gif gif-pulse 400x400 "$pulse"
  make_gif gif-orbit 960x540 "$orbit"

  make_audio audio-chime mp3 "$chime" '#0f172a' '#7c3aed' '#f472b6'
  make_audio audio-hum m4a "$hum" '#052e16' '#0f766e' '#a3e635'

  du -cb "$target"/*/* | tail -1
}

# Assets

make_photo() { # name, master
  mkdir -p "$target/$1"
  to_jpeg "$2" "$target/$1/full.jpg"
  make_pictures "$1" "$2"
}

make_video() { # name, WxH, geq expressions, silent|tone
  local full="$target/$1/full.mp4" sound=()
  mkdir -p "$target/$1"
  [[ $4 == tone ]] && sound=(-f lavfi -i "aevalsrc='$drift_tone':d=2:s=44100")
  run_ffmpeg -f lavfi -i "color=black:s=$2:r=24:d=2" "${sound[@]}" \
    -vf "format=gbrp,geq=$3,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p" \
    -c:v libx264 -profile:v main -preset veryslow -crf 35 -aq-mode 3 -threads 1 -bsf:v filter_units=remove_types=6 \
    -colorspace bt709 -color_primaries bt709 -color_trc bt709 \
    -c:a aac -b:a 32k -ac 1 -t 2 -movflags +faststart "$full"
  run_ffmpeg -f lavfi -i "color=black:s=$2:r=24:d=2" -vf "setpts=PTS+0.5/TB,format=gbrp,geq=$3" -frames:v 1 "$masters/$1.png"
  make_pictures "$1" "$masters/$1.png"
}

make_gif() { # name, twice the width x twice the height, geq expressions
  local full="$target/$1/full.gif"
  mkdir -p "$target/$1"
  run_ffmpeg -f lavfi -i "color=black:s=$2:r=10:d=1.2" \
    -vf "format=gbrp,geq=$3,scale=iw/2:ih/2:flags=area,split[frames][sample];[sample]palettegen=max_colors=8:reserve_transparent=0[palette];[frames][palette]paletteuse=dither=none" \
    -loop 0 "$full"
  run_ffmpeg -ss 0.4 -i "$full" -frames:v 1 "$masters/$1.png"
  make_pictures "$1" "$masters/$1.png"
}

make_audio() { # name, extension, sample expression, three colours from top to bottom
  local full="$target/$1/full.$2"
  mkdir -p "$target/$1"
  if [[ $2 == mp3 ]]; then
    run_ffmpeg -f lavfi -i "aevalsrc='$3':d=2:s=44100" -c:a libmp3lame -b:a 48k -ac 1 -id3v2_version 0 "$full"
  else
    run_ffmpeg -f lavfi -i "aevalsrc='$3':d=2:s=44100" -c:a aac -b:a 40k -ac 1 -movflags +faststart "$full"
  fi
  run_ffmpeg -i "$full" -filter_complex "showwavespic=s=48x540:colors=white:scale=sqrt" -frames:v 1 "$masters/$1-wave.png"
  gradient 960 540 "${@:4}" "$masters/$1-back.png"
  "$magick" "$masters/$1-wave.png" -alpha extract -sample '960x540!' \
    \( -size 20x540 xc:black -fill white -draw 'rectangle 4,0 15,539' -write mpr:bar +delete -size 960x540 tile:mpr:bar \) \
    -compose multiply -composite "$masters/$1-bars.png"
  "$magick" "$masters/$1-back.png" \( -size 960x540 xc:white "$masters/$1-bars.png" -alpha off -compose CopyOpacity -composite \) \
    -compose over -composite "$masters/$1.png"
  make_pictures "$1" "$masters/$1.png"
}

make_pictures() { # name, master
  to_jpeg "$2" "$target/$1/preview.jpg" -resize 400x540
  to_jpeg "$2" "$target/$1/thumb.jpg" -resize 150x200
  to_jpeg "$2" "$target/$1/squarePreview.jpg" -resize 240x240^ -gravity center -extent 240x240
}

to_jpeg() { # source, target, operations
  "$magick" "$1" "${@:3}" +repage -strip -sampling-factor 4:2:0 -interlace JPEG -quality "$quality" "$2"
}

run_ffmpeg() { # the arguments of ffmpeg, the target last
  ffmpeg -nostdin -v error -y "${@:1:$#-1}" -map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact "${@: -1}"
}

# Photos

draw_dawn() {
  gradient 960 720 '#1e1b4b' '#6d28a8' '#f2617a' '#fdb56b' '#fee9a8' "$1"
  "$magick" "$1" \
    \( -size 960x720 xc:none -fill '#fff3c4' -draw 'circle 620,400 620,310' \) -composite \
    \( -size 960x720 xc:none -fill '#fff0b8' -draw 'circle 620,400 620,280' -blur 0x40 \) -compose screen -composite -compose over \
    -fill '#a8456f' -draw "$(hills 960 720 470 60 1.1)" \
    -fill '#6b2f66' -draw "$(hills 960 720 550 55 2.7)" \
    -fill '#3a1f52' -draw "$(hills 960 720 620 45 4.2)" \
    -fill '#1c1236' -draw "$(hills 960 720 680 30 5.9)" "$1"
}

draw_tide() {
  gradient 720 960 '#023e6b' '#0277a8' '#11a9bf' '#6fdccf' "$1"
  "$magick" "$1" \
    -fill '#ffffff18' -draw "$(wave 720 960 180 26 340 0.3)" \
    -fill '#ffffff18' -draw "$(wave 720 960 320 30 410 1.9)" \
    -fill '#ffffff22' -draw "$(wave 720 960 470 34 380 3.1)" \
    -fill '#e9fffb' -draw "$(wave 720 960 610 38 460 0.9)" \
    -fill '#8fe6dc' -draw "$(wave 720 960 628 38 450 1.0)" \
    -fill '#f4fffd' -draw "$(wave 720 960 735 34 520 4.0)" \
    -fill '#f3d9a4' -draw "$(wave 720 960 762 32 510 4.1)" \
    -fill '#e8c27f' -draw "$(wave 720 960 850 24 640 5.2)" "$1"
}

draw_bloom() {
  local petals=() angle
  for angle in $(seq 0 30 330); do
    petals+=(-fill '#ff4f8b66' -draw "translate 400,400 rotate $angle ellipse 0,-190 78,170 0,360")
  done
  for angle in $(seq 15 30 345); do
    petals+=(-fill '#ffd1e066' -draw "translate 400,400 rotate $angle ellipse 0,-110 46,110 0,360")
  done
  "$magick" -size 800x800 radial-gradient:'#fff4e6'-'#f7a9c4' "${petals[@]}" \
    -fill '#ffc93c' -draw 'circle 400,400 400,340' -fill '#f08a24' -draw 'circle 400,400 400,368' "$1"
}

draw_ridge() {
  gradient 1440 480 '#b8e0f0' '#dff0ea' '#fdf3d8' "$1"
  "$magick" "$1" \
    -fill '#fffdf2' -draw 'circle 1080,120 1080,70' \
    -fill '#a9cbd0' -draw "$(hills 1440 480 200 70 0.4)" \
    -fill '#7fb0b0' -draw "$(hills 1440 480 260 65 1.8)" \
    -fill '#528f8a' -draw "$(hills 1440 480 320 55 3.3)" \
    -fill '#2f6b62' -draw "$(hills 1440 480 380 45 4.6)" \
    -fill '#16443f' -draw "$(hills 1440 480 435 35 6.4)" "$1"
}

draw_neon() {
  local lines=() step
  for step in $(seq -10 10); do
    lines+=(-draw "line $((270 + step * 36)),600 $((270 + step * 170)),960")
  done
  for step in 600 622 654 700 764 850; do
    lines+=(-draw "line 0,$step 540,$step")
  done
  gradient 540 960 '#0b0221' '#2a0a5e' '#7a1fa2' '#180636' '#0b0221' "$1"
  gradient 540 960 '#ffe66d' '#ffe66d' '#ff9a3c' '#ff2e88' '#ff2e88' "$masters/neon-sun.png"
  "$magick" -size 540x960 xc:black -fill white -draw 'circle 270,430 270,240' -fill black \
    -draw 'rectangle 0,430 540,438' -draw 'rectangle 0,472 540,484' -draw 'rectangle 0,514 540,530' \
    -draw 'rectangle 0,556 540,574' -draw 'rectangle 0,600 540,960' "$masters/neon-mask.png"
  "$magick" "$masters/neon-sun.png" "$masters/neon-mask.png" -alpha off -compose CopyOpacity -composite "$masters/neon-sun.png"
  "$magick" "$1" "$masters/neon-sun.png" -composite \
    -fill '#12042e' -draw 'rectangle 0,600 540,960' -stroke '#22e4ff' -strokewidth 2 "${lines[@]}" \
    \( +clone -blur 0x9 \) -compose screen -composite "$1"
}

draw_citrus() {
  gradient 750 600 '#1fb5a3' '#37c7a0' '#8fdc8b' "$1"
  draw_slice "$1" 242 290 208 '#f26b0f' '#fff1d0' '#ff9f1c'
  draw_slice "$1" 575 183 142 '#e8b90c' '#fffbe0' '#ffdf3d'
  draw_slice "$1" 550 490 158 '#d9304f' '#ffe9e4' '#ff6b6b'
}

draw_frost() {
  "$magick" -size 960x540 xc:'#cfe8f7' -draw "$(facets 960 540 7 4)" "$1"
}

draw_dune() {
  gradient 640 800 '#2b6f8f' '#7fb6b5' '#f6e3b4' '#f6e3b4' '#f6e3b4' "$1"
  "$magick" "$1" \
    -fill '#fff8e1' -draw 'circle 180,170 180,125' \
    -fill '#e9b872' -draw "$(wave 640 800 360 36 700 0.4)" \
    -fill '#d9934f' -draw "$(wave 640 800 450 60 820 2.2)" \
    -fill '#b96a3a' -draw "$(wave 640 800 560 54 900 4.4)" \
    -fill '#8a4430' -draw "$(wave 640 800 680 46 760 0.9)" "$1"
}

# Brushes

gradient() { # width, height, colours from top to bottom, target
  local stops=() colour
  for colour in "${@:3:$#-3}"; do stops+=("xc:$colour"); done
  "$magick" -size 1x1 "${stops[@]}" -append -filter triangle -resize "$1x$2!" -depth 8 "${@: -1}"
}

wave() { # width, height, middle, amplitude, period, phase
  awk -v w="$1" -v h="$2" -v m="$3" -v a="$4" -v p="$5" -v f="$6" 'BEGIN {
    printf "polygon 0,%d", h
    for (x = 0; x <= w; x += 8) printf " %d,%.1f", x, m + a * sin(6.28318 * x / p + f) + a / 3 * sin(6.28318 * x / p * 2.3 + f * 2)
    printf " %d,%d", w, h
  }'
}

hills() { # width, height, middle, amplitude, phase
  awk -v w="$1" -v h="$2" -v m="$3" -v a="$4" -v f="$5" 'BEGIN {
    printf "polygon 0,%d", h
    for (x = 0; x <= w; x += 6) {
      t = x / 100
      printf " %d,%.1f", x, m + a * (0.6 * sin(t * 0.9 + f) + 0.35 * sin(t * 2.1 + f * 3) + 0.16 * sin(t * 5.3 + f * 5) + 0.07 * sin(t * 13 + f * 7))
    }
    printf " %d,%d", w, h
  }'
}

draw_slice() { # picture, x, y, radius, rind, pith, flesh
  "$magick" "$1" -fill "$5" -draw "circle $2,$3 $2,$(($3 - $4))" -fill "$6" -draw "circle $2,$3 $2,$(($3 - $4 * 92 / 100))" \
    -fill "$7" -draw "$(segments "$2" "$3" "$4")" "$1"
}

segments() { # x, y, radius
  awk -v x="$1" -v y="$2" -v r="$3" 'BEGIN {
    for (i = 0; i < 9; i++) {
      a = 6.28318 * i / 9; b = a + 6.28318 / 9; c = (a + b) / 2; a += 0.05; b -= 0.05
      cx = x + 0.08 * r * cos(c); cy = y + 0.08 * r * sin(c)
      printf "path \"M %.1f,%.1f L %.1f,%.1f A %.1f,%.1f 0 0,1 %.1f,%.1f Z\" ", cx, cy, x + 0.84 * r * cos(a), y + 0.84 * r * sin(a), 0.84 * r, 0.84 * r, x + 0.84 * r * cos(b), y + 0.84 * r * sin(b)
    }
  }'
}

facets() { # width, height, columns, rows
  awk -v w="$1" -v h="$2" -v n="$3" -v m="$4" '
    function jitter(i, j, k) { return sin(i * i * 5.17 + j * 3.71 + i * j * 2.13 + k * 2.39) * 0.32 }
    function px(i, j) { return i == 0 ? 0 : i == n ? w : (i + jitter(i, j, 1)) * w / n }
    function py(i, j) { return j == 0 ? 0 : j == m ? h : (j + jitter(i, j, 2)) * h / m }
    function shade(i, j, k,   t) {
      t = 0.5 + 0.28 * sin(i * 0.7 + j * 0.9) + 0.7 * jitter(i, j, k)
      t = t < 0 ? 0 : t > 1 ? 1 : t
      return sprintf("fill rgb(%d,%d,%d) stroke rgb(%d,%d,%d)", 70 + 175 * t, 130 + 120 * t, 190 + 62 * t, 70 + 175 * t, 130 + 120 * t, 190 + 62 * t)
    }
    BEGIN {
      for (j = 0; j < m; j++) for (i = 0; i < n; i++) {
        printf "%s polygon %.1f,%.1f %.1f,%.1f %.1f,%.1f ", shade(i, j, 3), px(i, j), py(i, j), px(i + 1, j), py(i + 1, j), px(i, j + 1), py(i, j + 1)
        printf "%s polygon %.1f,%.1f %.1f,%.1f %.1f,%.1f ", shade(i, j, 4), px(i + 1, j), py(i + 1, j), px(i + 1, j + 1), py(i + 1, j + 1), px(i, j + 1), py(i, j + 1)
      }
    }'
}

# Moving pictures: red, green and blue of the pixel X,Y at the time T; each repeats without a seam

crest() { # share of the height, amplitude, waves across the width, direction
  echo "clip((Y-H*$1-$2*sin(2*PI*$3*X/W+$4*PI*T)-$2/5*sin(4*PI*$3*X/W-$4*PI*T))/2,0,1)"
}
depth="($(crest 0.3 24 1 1)+$(crest 0.44 28 1.4 -1)+$(crest 0.58 26 1.1 1)+$(crest 0.72 24 1.6 -1)+$(crest 0.86 20 1.2 1))"
waves="r='clip(255-52*$depth+20*(1-Y/H),0,255)'"
waves+=":g='clip(150+60*(Y/H)-26*$depth,0,255)'"
waves+=":b='clip(120+34*$depth-60*(Y/H),0,255)'"

blob() { # x, y, orbit, phase, size, strength
  echo "$6*exp(-(pow(X-W*$1-$3*cos(PI*T+$4),2)+pow(Y-H*$2-$3*sin(PI*T+$4),2))/$5)"
}
drift="r='min(255,30+$(blob 0.3 0.45 60 0 9000 220)+$(blob 0.7 0.6 50 4 12000 120))'"
drift+=":g='min(255,20+$(blob 0.55 0.4 70 2 8000 150)+$(blob 0.3 0.45 60 0 9000 90))'"
drift+=":b='min(255,60+$(blob 0.7 0.6 50 4 12000 190)+$(blob 0.55 0.4 70 2 8000 100))'"
drift_tone='0.25*sin(2*PI*220*t)*sin(PI*t/2)+0.15*sin(2*PI*330*t)*sin(PI*t/2)'

turn='sin(6*atan2(Y-H/2,X-W/2)+hypot(X-W/2,Y-H/2)/38-2*PI*T)'
spin="r='150+90*$turn':g='90+60*$turn+60*(Y/H)':b='120-70*$turn+40*(X/W)'"

distance='hypot(X-W/2,Y-H/2)'
ring="lt($distance,W*0.47)*(1+mod(floor($distance/(W*0.09)-4*T/1.2+8),4))"
pulse="r='26+54*$ring':g='16+22*$ring':b='64+24*$ring'"

dot() { # orbit as shares of width and height, phase, radius as a share of the width
  echo "lt(hypot(X-W/2-W*$1*cos(2*PI*T/1.2+$3),Y-H/2-H*$2*sin(2*PI*T/1.2+$3)),W*$4)"
}
sun="lt($distance,W*0.09)"
orbit="r='18+230*$sun+90*$(dot 0.22 0.22 0 0.035)+60*$(dot 0.38 0.38 2.5 0.026)'"
orbit+=":g='22+170*$sun+170*$(dot 0.22 0.22 0 0.035)+190*$(dot 0.38 0.38 2.5 0.026)'"
orbit+=":b='52+20*$sun+190*$(dot 0.22 0.22 0 0.035)+110*$(dot 0.38 0.38 2.5 0.026)'"

# Sounds: the sample at the time t

note() { # start in seconds, frequency in hertz, strength
  echo "gte(t,$1)*$3*sin(2*PI*$2*t)*exp(-4*max(0,t-$1))*min(1,max(0,t-$1)*200)*min(1,(2-t)*8)"
}
chime="$(note 0 659.26 0.3)+$(note 0.3 830.61 0.3)+$(note 0.6 987.77 0.3)+$(note 0.9 1318.51 0.35)"
hum="$(note 0 130.81 0.4)+$(note 0.45 164.81 0.4)+$(note 0.9 196 0.4)+$(note 1.35 130.81 0.45)+$(note 0 261.63 0.12)+$(note 0.9 392 0.12)"

main
