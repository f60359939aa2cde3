/**
 * Common beginning of all Redis scripts. KEYS: store, owners, item. ARGV: the store id known to the
 * server, a new id, the server's name, the channel, and then the script's arguments.
 *
 * `store` is a hash: `id` of the data, `run` id of the current Redis process, the time when the
 * servers first saw that process (`since`), and the `last` token. `owners` is a hash with each
 * lease's token, expiry and server.
 */
const begin = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local info = redis.call('INFO', 'server')
local run = string.match(info, 'run_id:(%w+)')
local function text(number) return string.format('%.0f', number) end
local function saved(field) return redis.call('HGET', KEYS[1], field) end
local function keepRun(since)
  redis.call('HSETNX', KEYS[1], 'id', ARGV[2])
  redis.call('HSET', KEYS[1], 'run', run, 'since', text(since))
end
local function leaseOf(id)
  local token, ends, server =
    string.match(redis.call('HGET', KEYS[2], id) or '', '^(%d+) (%d+) (.*)$')
  return tonumber(token or '0'), tonumber(ends or '0'), server
end
local function grant(id, token, ms)
  redis.call('HSET', KEYS[2], id, token .. ' ' .. text(now + ms) .. ' ' .. ARGV[3])
end
-- A lease that is not there was released, unless the data of Redis are lost.
local function isMine(id, token)
  local last, ends, server = leaseOf(id)
  if token == '' then return ends <= now end
  if server == nil then return saved('id') ~= ARGV[1] end
  return last <= tonumber(token)
end
`
const keepChangedRun = `if saved('run') ~= run then keepRun(now) end\n`

/**
 * Returns 1 if the store can be used. A store without an id is either new or has lost its data.
 * After a loss, other servers reconnect within a few seconds and keep the leases on their worlds.
 * ARGV: time to wait for the other servers, s; age at which old leases are removed, ms.
 */
export const beginScript = `${begin}
local owners = redis.call('HGETALL', KEYS[2])
for i = 1, #owners, 2 do
  local _, ends = leaseOf(owners[i])
  if ends + ARGV[6] < now then redis.call('HDEL', KEYS[2], owners[i]) end
end
if saved('id') then return 1 end
if redis.call('PUBSUB', 'NUMSUB', ARGV[4])[2] > 0 then keepRun(now) return 1 end
if tonumber(string.match(info, 'uptime_in_seconds:(%d+)')) < tonumber(ARGV[5]) then return 0 end
keepRun(0)
return 1`

/**
 * Grants a lease, with a token that is larger than all earlier tokens. Tokens are based on the
 * Redis clock, so they increase even if Redis lost its data. After Redis was restarted or lost its
 * data, no leases are granted for a while, so that previous owners can renew theirs. Returns the
 * token, and 1 if the item exists. If another server holds the lease, returns an empty string and
 * that server's name. ARGV: id; lease duration, ms; pause after a restart, ms; 1 to ask the owner
 * for the lease.
 */
export const takeScript = `${begin}${keepChangedRun}
local _, ends, server = leaseOf(ARGV[5])
if ends > now then
  if ARGV[8] == '1' then redis.call('PUBLISH', ARGV[4], ARGV[5]) end
  return {'', server}
end
if now < saved('since') + ARGV[7] then return {'', ''} end
local token = text(math.max((saved('last') or 0) + 1, time[1] * 1000000 + time[2]))
redis.call('HSET', KEYS[1], 'last', token)
grant(ARGV[5], token, ARGV[6])
return {token, redis.call('EXISTS', KEYS[3])}`

/**
 * Renews leases, including expired leases that no other server has taken. Returns the store id and
 * the ids of lost leases. ARGV: lease duration, ms; then the id and token of each lease.
 */
export const renewScript = `${begin}${keepChangedRun}
local lost = {}
for i = 6, #ARGV, 2 do
  if isMine(ARGV[i], ARGV[i + 1]) then grant(ARGV[i], ARGV[i + 1], ARGV[5])
  else lost[#lost + 1] = ARGV[i] end
end
return {saved('id'), lost}`

/** Releases leases. ARGV: the id and token of each lease. */
export const releaseScript = `${begin}
for i = 5, #ARGV, 2 do
  if isMine(ARGV[i], ARGV[i + 1]) then redis.call('HDEL', KEYS[2], ARGV[i]) end
end
return 1`

/**
 * Runs a command on an item, unless another server has taken the item's lease. ARGV: id, token, and
 * then the command's arguments.
 */
const guarded = (command: string) => `${begin}
if not isMine(ARGV[5], ARGV[6]) then
  local _, _, server = leaseOf(ARGV[5])
  return redis.error_reply('TAKEN ' .. (server or 'another server'))
end
${command}
return 1`

/** Saves an item. ARGV: id, token, bytes, and the time to live in ms (or an empty string). */
export const saveScript = guarded(`
if ARGV[8] == '' then redis.call('SET', KEYS[3], ARGV[7])
else redis.call('SET', KEYS[3], ARGV[7], 'PX', ARGV[8]) end`)

/** Removes an item. ARGV: id, token. */
export const removeScript = guarded(`redis.call('DEL', KEYS[3])`)
