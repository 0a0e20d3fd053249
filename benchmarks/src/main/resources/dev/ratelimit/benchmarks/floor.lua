-- The least a correct integer token bucket can do: TIME, GET, and SET when allowed.
-- KEYS[1]: the bucket, one integer F = now * r + deficit, in units of 1/p token.
-- ARGV: r (units refilled per millisecond), the cost and the capacity, both in units.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000) - 1735689600000
local r = tonumber(ARGV[1])
local full = now * r
local deficit = math.max(0, (tonumber(redis.call('GET', KEYS[1])) or full) - full) + tonumber(ARGV[2])
if deficit > tonumber(ARGV[3]) then
	return {0, full + deficit - tonumber(ARGV[2]), now}
end
local ttl = string.format('%.0f', math.ceil(deficit / r))
redis.call('SET', KEYS[1], string.format('%.0f', full + deficit), 'PX', ttl)
return {1, full + deficit, now}
