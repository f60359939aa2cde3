import { formatCount, formatNumber } from '../../shared/format.ts'
import { useStoreState } from '../../shared/hooks.ts'
import { toHash } from '../shared/place.ts'

/** Shows the number of requests in this world, with a link to the requests of other worlds. */
export function RequestCount({ count, isLink = false }: { count: number; isLink?: boolean }) {
  const elsewhere = useStoreState((state) => state.pulse?.worlds?.requests ?? 0)
  const here = `${formatCount(count, 'request')} in this world`
  return (
    <span class="help">
      {isLink ? <a href="#requests">{here}</a> : here}
      {elsewhere > 0 && (
        <>
          {', '}
          <a href={toHash({ view: 'requests', filters: { worlds: 'all' } })}>
            {formatNumber(elsewhere)} in other worlds
          </a>
        </>
      )}
    </span>
  )
}
