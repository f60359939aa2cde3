import { applyActions } from '../control/apply-actions.ts'
import type { ActionContext } from '../api/action.ts'
import { sendStoryRequest } from '../api/story-request.ts'
import type { StoryOptions } from '../api/story-request.ts'
import { Timeline } from '../world/timeline.ts'
import { toIsoTime } from '../lib/time.ts'
import { ApiError, truncateForMessage, quoteText, SandboxError } from '../errors.ts'
import type { ScenarioTimeline, StepRequest, PlannedStep } from '../scenario/expand-timeline.ts'
import type { World } from '../resources/world.ts'

/** The objects that a story's actions and requests need in addition to the world. */
type StoryContext = Omit<StoryOptions, 'world'> & ActionContext

/** Creates a world's timeline from the timeline of its scenario. */
export function createWorldTimeline(
  { steps }: ScenarioTimeline,
  context: StoryContext,
): Timeline<World> {
  return new Timeline<World>(
    steps.map((step) => ({
      storyMs: step.atMs,
      at: step.clockMs,
      leapMs: step.leapMs,
      place: step.path,
      play: (world) =>
        world.changeLog.runWithCause({ by: 'story', id: null, text: step.path }, () =>
          play(world, step, context),
        ),
    })),
  )
}

/**
 * Plays a step: starts its chapter, shows its caption, runs its actions and its request, and skips
 * time.
 */
function play(
  world: World,
  { leapMs, chapter, note, actions, request }: PlannedStep,
  context: StoryContext,
): void {
  const at = world.clock.iso()
  const storyMs = world.timeline.elapsed(world)
  if (chapter !== undefined)
    world.actionLog.record({ at, story_ms: storyMs, type: 'chapter', text: chapter })
  if (note !== undefined) applyActions(world, { type: 'note', text: note }, context)
  if (actions.length > 0) applyActions(world, actions, context)
  if (request !== undefined) {
    repeat(world, request, context)
    const text = `The ${request.key} asked ${request.method} ${truncateForMessage(request.path)}`
    const shown = request.shown === undefined ? {} : { shown: request.shown }
    world.actionLog.record({ at, story_ms: storyMs, type: 'request', text, ...shown })
  }
  if (leapMs > 0) {
    const to = toIsoTime(world.clock.now() + leapMs)
      .slice(0, 16)
      .replace('T', ' ')
    world.actionLog.record({
      at,
      story_ms: storyMs,
      type: 'leap',
      text: `The clock jumps to ${to}`,
    })
  }
}

function repeat(
  world: World,
  { key: role, method, path, body, answered }: StepRequest,
  context: StoryContext,
): void {
  const key = world.db.apiKeys.find({ role })?.key
  if (key === undefined && answered === undefined)
    throw new SandboxError(
      `Failed to repeat ${method} ${truncateForMessage(path)}: the role ${quoteText(role)} ` +
        'does not exist.',
    )
  const headers: Readonly<Record<string, string>> = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    'content-type': 'application/json',
  }
  try {
    sendStoryRequest(
      { ...context, world },
      { method, url: path, header: (name) => headers[name] ?? null, body, answered },
    )
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new SandboxError(
      `Failed to repeat ${method} ${truncateForMessage(path)}: ${error.message}`,
      {
        cause: error,
      },
    )
  }
}
