import { z } from 'zod'
import type { Work } from '../world/work.ts'
import { SandboxError } from '../errors.ts'
import type { Player } from '../scenario/player.ts'
import { checkInput } from '../api/check-input.ts'

/** A command for the scenario's story. */
export const ReplayCommand = z.lazy(() =>
  z
    .strictObject({
      command: z.enum(['play', 'pause', 'step', 'seek', 'speed', 'stop']),
      to: z
        .string()
        .max(200)
        .optional()
        .describe(
          "The target of seek: '+2m' or '-30s' from the current position, '2m' after the start, " +
            'an RFC 3339 time, or a chapter.',
        ),
      speed: z.number().min(0.1).max(1000).optional().describe('Story seconds per real second.'),
      until: z.string().max(200).optional().describe('Where to stop, in the same formats as `to`.'),
      loop: z.boolean().optional().describe('Restart the story when it ends.'),
      at_once: z
        .boolean()
        .optional()
        .describe('Play immediately instead of in real time, up to `until` or the end.'),
    })
    .refine(({ command, to }) => (command === 'seek') === (to !== undefined), {
      error: 'it is required for seek, and not allowed for other commands',
      path: ['to'],
    })
    .refine(({ command, speed }) => speed !== undefined || command !== 'speed', {
      error: 'it is required for the command speed',
      path: ['speed'],
    })
    .refine(
      ({ command, speed }) => speed === undefined || command === 'speed' || command === 'play',
      {
        error: 'it is only allowed for play and speed',
        path: ['speed'],
      },
    )
    .refine(
      ({ command, until, loop }) =>
        command === 'play' || (until === undefined && loop === undefined),
      {
        error: 'it is only allowed for play',
        path: ['until'],
      },
    )
    .refine(
      ({ command, at_once: atOnce, speed, loop }) =>
        atOnce !== true || (command === 'play' && speed === undefined && loop !== true),
      {
        error: 'it is only allowed for play, without speed and loop',
        path: ['at_once'],
      },
    ),
)
export type ReplayCommand = z.infer<typeof ReplayCommand>

/**
 * Validates and starts a story command. The caller must run the returned `Work`, which plays the
 * steps.
 *
 * @throws {SandboxError}
 */
export function startReplayCommand(player: Player, input: ReplayCommand): Work | undefined {
  const checked = checkInput(ReplayCommand, input, { verb: 'control the story' })
  const { command, to = '', speed, until, loop } = checked
  switch (command) {
    case 'play':
      if (checked.at_once === true) return player.playAtOnce(until)
      // Does not wait for the end of the story, because clients poll its state.
      void player.play({ until, speed: speed ?? player.state().speed, loop })
      return undefined
    case 'step':
      return player.step()
    case 'seek':
      return player.seek(to)
    case 'pause':
      player.pause()
      return undefined
    case 'speed':
      player.speed(speed ?? 1)
      return undefined
    case 'stop':
      player.stop()
      return undefined
    default:
      throw new SandboxError(
        'Failed to control the story: the command ' +
          `${JSON.stringify(command satisfies never)} does not exist.`,
      )
  }
}
