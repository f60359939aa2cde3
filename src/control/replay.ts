import { z } from 'zod'
import type { Work } from '../world/work.ts'
import { SandboxError } from '../errors.ts'
import type { Player } from '../scenario/player.ts'
import { check } from './check.ts'

/** A command for the story of the scenario. */
export const ReplayCommand = z.lazy(() =>
  z
    .strictObject({
      command: z.enum(['play', 'pause', 'step', 'seek', 'speed', 'stop']),
      to: z
        .string()
        .max(200)
        .optional()
        .describe(
          "Where to seek: '+2m' or '-30s' from here, '2m' from the start, an instant, or a chapter.",
        ),
      speed: z.number().min(0.1).max(1000).optional().describe('Story seconds per real second.'),
      until: z.string().max(200).optional().describe('Where to stop playing, as in `to`.'),
      loop: z.boolean().optional().describe('Start again at the end.'),
      at_once: z
        .boolean()
        .optional()
        .describe('Play at once instead of in real time: to `until`, or to the end.'),
    })
    .refine(({ command, to }) => (command === 'seek') === (to !== undefined), {
      error: 'seek needs it, and no other command takes it',
      path: ['to'],
    })
    .refine(({ command, speed }) => speed !== undefined || command !== 'speed', {
      error: 'the command speed needs it',
      path: ['speed'],
    })
    .refine(
      ({ command, speed }) => speed === undefined || command === 'speed' || command === 'play',
      {
        error: 'only play and speed take it',
        path: ['speed'],
      },
    )
    .refine(
      ({ command, until, loop }) =>
        command === 'play' || (until === undefined && loop === undefined),
      {
        error: 'only play takes it',
        path: ['until'],
      },
    )
    .refine(
      ({ command, at_once: atOnce, speed, loop }) =>
        atOnce !== true || (command === 'play' && speed === undefined && loop !== true),
      {
        error: 'only play takes it, without speed and loop',
        path: ['at_once'],
      },
    ),
)
export type ReplayCommand = z.infer<typeof ReplayCommand>

/**
 * Checks and starts a command for the story. Returns its long part, which the caller runs: the
 * steps on the way. @throws {SandboxError}
 */
export function startCommand(player: Player, input: ReplayCommand): Work | undefined {
  const {
    command,
    to = '',
    speed,
    until,
    loop,
    at_once: atOnce,
  } = check(ReplayCommand, input, { verb: 'direct the replay' })
  switch (command) {
    case 'play':
      if (atOnce === true) return player.playAtOnce(until)
      // Nothing awaits the end of the story: a client sees it in the state.
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
        `Failed to direct the replay: there is no command ` +
          `${JSON.stringify(command satisfies never)}.`,
      )
  }
}
