import type { Api } from '../shared/api.ts'
import { useLoadedData } from '../shared/hooks.ts'

/** Maximum number of pictures shown next to an example. */
const maxShown = 6

interface PicturesProps {
  value: unknown
  /**
   * Client of the control plane, which serves the vault files. Undefined without a control token.
   */
  api: Api | undefined
}

/**
 * Shows thumbnails of the pictures in an example. The links in the example have expired, so the
 * files come from the control plane.
 */
export function ExamplePictures({ value, api }: PicturesProps) {
  const { users, media } = findPictureUrls(JSON.stringify(value) ?? '')
  const { data: files = [] } = useLoadedData(
    () => Promise.all(media.map((id) => findFile(api, id))),
    `${media.join()} ${api !== undefined}`,
  )
  const shown = [...files.filter((file) => file !== undefined), ...users].slice(0, maxShown)
  if (shown.length === 0) return null
  return (
    <p class="example-pictures">
      {shown.map((address) => (
        <img key={address} src={`_sandbox/${address}`} alt="" loading="lazy" />
      ))}
    </p>
  )
}

/** Returns the distinct pictures mentioned in a string: user pictures by path, and media by id. */
function findPictureUrls(text: string): { users: readonly string[]; media: readonly string[] } {
  const users = [...text.matchAll(/\/(files\/\d+\/\w+\.svg)/g)].map(([, path = '']) => path)
  const media = [
    ...text.matchAll(/media-proxy\?url=[^"]*?%2F(\d+)%2F\w+\.(?:jpe?g|png|gif)&/g),
  ].map(([, id = '']) => id)
  return { users: omitDuplicateUsers(users), media: [...new Set(media)].slice(0, maxShown) }
}

/** Keeps only one size of each user picture. */
function omitDuplicateUsers(paths: readonly string[]): readonly string[] {
  const byUser = new Map(paths.map((path) => [path.replace(/\w+\.svg$/, ''), path]))
  return [...byUser.values()].slice(0, maxShown)
}

/**
 * Returns the thumbnail of a vault file, or undefined if the loaded scenario does not have the
 * file.
 */
async function findFile(api: Api | undefined, id: string): Promise<string | undefined> {
  const page = await api?.get<{ pictures?: Record<string, string> }>('_sandbox/data/vaultMedia', {
    id,
    limit: 1,
    pictures: 'true',
  })
  return page?.pictures?.[id]
}
