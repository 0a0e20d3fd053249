-- KEYS[1]: the bucket, one integer: the refill until now, and what the bucket lacks.
-- ARGV: units refilled per millisecond, the cost and the capacity, both in units.
local time = redis.call('TIME')
local full = (time[1] * 1000 + math.floor(time[2] / 1000) - 1735689600000) * ARGV[1]
local lacking = math.max(0, (tonumber(redis.call('GET', KEYS[1])) or full) - full) + ARGV[2]
if lacking > tonumber(ARGV[3]) then
	return -lacking
end
redis.call('SET', KEYS[1], string.format('%.0f', full + lacking), 'PX', string.format('%.0f', math.ceil(lacking / ARGV[1])))
return lacking
