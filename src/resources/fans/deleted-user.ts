import type { Fan } from './fans.table.ts'

/** Returns the record of a user who deleted their profile. */
export function createDeletedUser(
  id: number,
): Pick<Fan, 'name' | 'username' | 'avatar' | 'isActive' | 'hidesLastSeen'> {
  return {
    name: 'Deleted user',
    username: `u${id}`,
    avatar: null,
    isActive: false,
    hidesLastSeen: true,
  }
}
