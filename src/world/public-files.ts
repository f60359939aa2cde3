/** The platform's public host. It serves the pictures of users without a key or a signature. */
export const publicHost = 'https://public.platform.example'

/** The pictures of each user, with their sizes in pixels. Only performers have a header picture. */
export const userPictures = {
  avatar: { width: 600, height: 600 },
  avatar_c50: { width: 50, height: 50 },
  avatar_c144: { width: 144, height: 144 },
  header: { width: 1900, height: 600 },
  header_w480: { width: 480, height: 152 },
  header_w760: { width: 760, height: 240 },
} as const satisfies Record<string, { width: number; height: number }>
export type UserPicture = keyof typeof userPictures

/** Returns the URL of a user's picture as stored in records. */
export function toPictureUrl(userId: number, picture: UserPicture = 'avatar'): string {
  return `${publicHost}/files/${userId}/${picture}.svg`
}

/**
 * Converts a stored URL to the URL that clients receive. A standalone server also serves the paths
 * of the public host, so its own host replaces the public host. Other URLs do not change.
 */
export function toClientUrl<Address extends string | null>(
  { servesPictures, baseUrl }: { servesPictures: boolean; baseUrl: string },
  address: Address,
): Address {
  if (address === null || !servesPictures || !address.startsWith(`${publicHost}/`)) return address
  return `${baseUrl}${address.slice(publicHost.length)}` as Address
}

/** Parses the path of a picture. Undefined for any other path. */
export function parsePicturePath(
  path: string,
): { userId: number; picture: UserPicture } | undefined {
  const [, id, name] = /^\/files\/([1-9]\d{0,14})\/(\w+)\.svg(?:\?.*)?$/.exec(path) ?? []
  const picture = (Object.keys(userPictures) as UserPicture[]).find((each) => each === name)
  return picture === undefined ? undefined : { userId: Number(id), picture }
}
