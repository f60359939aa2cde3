import { gifs, videos } from './clips.ts'
import type { Scene } from './scene.ts'
import { artScenes } from './scenes/art.ts'
import { cookingScenes } from './scenes/cooking.ts'
import { craftScenes } from './scenes/crafts.ts'
import { foodScenes } from './scenes/food.ts'
import { guitarScenes } from './scenes/guitars.ts'
import { harborScenes } from './scenes/harbor.ts'
import { homeScenes } from './scenes/home.ts'
import { landScenes } from './scenes/land.ts'
import { livingScenes } from './scenes/living.ts'
import { musicScenes } from './scenes/music.ts'
import { seaScenes } from './scenes/sea.ts'
import { sportScenes } from './scenes/sport.ts'
import { trainingScenes } from './scenes/training.ts'
import { wharfScenes } from './scenes/wharf.ts'
import { sounds } from './sounds.ts'

/** All photos that are drawn. */
export const photos: readonly Scene[] = [
  ...artScenes,
  ...cookingScenes,
  ...craftScenes,
  ...foodScenes,
  ...guitarScenes,
  ...harborScenes,
  ...homeScenes,
  ...landScenes,
  ...livingScenes,
  ...musicScenes,
  ...seaScenes,
  ...sportScenes,
  ...trainingScenes,
  ...wharfScenes,
]

/** The topics of each drawn file, by the name of its folder in fixtures/media. */
export const topicsOfMedia: ReadonlyMap<string, readonly string[]> = new Map([
  ...photos.map(({ name, topics }) => [`photo-${name}`, topics] as const),
  ...videos.map(({ name, topics }) => [`video-${name}`, topics] as const),
  ...gifs.map(({ name, topics }) => [`gif-${name}`, topics] as const),
  ...sounds.map(({ name, topics }) => [`audio-${name}`, topics] as const),
])
