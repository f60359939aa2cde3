/** The short reference to a fan or creator. `_view` says that only the short view was asked for. */
export function shortUser(id: number): { id: number; _view: string } {
  return { id, _view: 's' }
}
