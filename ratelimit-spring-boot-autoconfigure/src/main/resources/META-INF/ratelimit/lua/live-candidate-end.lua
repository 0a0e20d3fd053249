-- Ends a candidate, and forgets what was counted of it.
-- KEYS  the candidate, the log
-- ARGV  its version; six random digits; the entry of the log
-- Reply the time; whether there was one
local unix = now + 1735689600000
local known = call('HMGET', KEYS[1], 'count', 'last', 'version')
if known[3] ~= ARGV[1] then
	return { unix, 0 }
end
local count = math.floor(tonumber(known[1] or 0) / 1000000) + 1
call('DEL', KEYS[1])
call('HSET', KEYS[1], 'count', format('%.0f', count * 1000000 + ARGV[2]), 'last', known[2])
call('XADD', KEYS[2], 'MAXLEN', '~', '1000', '*', 'candidate', ARGV[1], 'change', ARGV[3])
return { unix, 1 }
