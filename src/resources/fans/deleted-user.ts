import type { Fan } from './fans.table.ts'

/** Placeholder profile of a user who deleted their account. */
export function deletedUser(
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
