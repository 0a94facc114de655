// The atomic steps of the counters, as they run inside Redis.

/**
 * KEYS[1] is the bucket's hash. ARGV: minute limit, quota, day limit, cost, `charge` or `look`, deadline in microseconds.
 * Past the deadline nobody waits any more, and nothing is charged: a server that stood still carries out what was sent meanwhile.
 * Windows carry their own number, so a lost expiry can never block anyone; the expiry only cleans up.
 * The first line declares a script that writes: a read-only replica or a full store refuses it, also for a mere look.
 */
export const ADMISSION_SCRIPT = `#!lua
local clock = redis.call('TIME')
local now = tonumber(clock[1])
local minute = math.floor(now / 60)
local day = math.floor(now / 86400)

local minute_limit = tonumber(ARGV[1])
local day_window, day_count = 'dw:' .. ARGV[2], 'dc:' .. ARGV[2]
local day_limit = tonumber(ARGV[3])
local cost = tonumber(ARGV[4])

local stored = redis.call('HMGET', KEYS[1], 'mw', 'mc', day_window, day_count)
local minute_used, day_used = 0, 0
if tonumber(stored[1]) == minute then minute_used = tonumber(stored[2]) end
if tonumber(stored[3]) == day then day_used = tonumber(stored[4]) end

local refused = ''
if ARGV[5] == 'charge' and now * 1000000 + tonumber(clock[2]) > tonumber(ARGV[6]) then
  refused = 'late'
elseif day_used + cost > day_limit then
  refused = 'quota_exceeded'
elseif minute_used + cost > minute_limit then
  refused = 'rate_limited'
elseif ARGV[5] == 'charge' then
  minute_used = minute_used + cost
  day_used = day_used + cost
  redis.call('HSET', KEYS[1], 'mw', minute, 'mc', minute_used, day_window, day, day_count, day_used)
  redis.call('EXPIREAT', KEYS[1], (day + 2) * 86400)
end
return { refused, minute_used, day_used, (minute + 1) * 60, (day + 1) * 86400, clock[1], clock[2] }
`;

/** KEYS[1] is the bucket's hash. ARGV: quota, cost, number of the minute, number of the day. */
export const GIVE_BACK_SCRIPT = `#!lua
local function take(window, count, number)
  local stored = redis.call('HMGET', KEYS[1], window, count)
  if tonumber(stored[1]) ~= tonumber(number) then return end
  redis.call('HSET', KEYS[1], count, math.max(0, tonumber(stored[2]) - tonumber(ARGV[2])))
end
take('mw', 'mc', ARGV[3])
take('dw:' .. ARGV[1], 'dc:' .. ARGV[1], ARGV[4])
`;

/** The braces keep a bucket on one node of a cluster. */
export function bucketKey(bucket: string): string {
  return `barograph:rl:v1:{${bucket}}`;
}
