-- What scripts of bans share. A ban is a text: its number, the end (0 if lifted), the kind, how many in a row, when it was
-- imposed or lifted, when it is forgotten, and the user. All times are Unix times in ms.
-- KEYS  the members by the time when they are forgotten; the members by number; the texts by member; the newest number,
--       the random number of these data, and the brakes
local unix = now + 1735689600000
local function read(name)
	local text = call('HGET', KEYS[3], name)
	if not text then
		return nil
	end
	local number, ends, kind, times, at, forgotten = string.match(text, '^(%d+) (%d+) (%a+) (%d+) (%d+) (%d+) ')
	return { ends = tonumber(ends), kind = kind, times = tonumber(times), at = tonumber(at),
		forgotten = tonumber(forgotten) }
end
local function keep(name, ends, kind, times, at, forgotten, user)
	local number = format('%.0f', call('HINCRBY', KEYS[4], 'number', 1))
	call('HSET', KEYS[3], name, number .. format(' %.0f %s %.0f %.0f %.0f ', ends, kind, times, at, forgotten) .. user)
	call('ZADD', KEYS[2], number, name)
	call('ZADD', KEYS[1], format('%.0f', forgotten), name)
	for i = 1, 4 do
		if call('PTTL', KEYS[i]) < forgotten - unix + 3600000 then
			call('PEXPIRE', KEYS[i], format('%.0f', forgotten - unix + 3600000))
		end
	end
end
local function forget()
	for _, name in ipairs(call('ZRANGEBYSCORE', KEYS[1], '-inf', format('%.0f', unix), 'LIMIT', 0, 100)) do
		call('ZREM', KEYS[1], name)
		call('ZREM', KEYS[2], name)
		call('HDEL', KEYS[3], name)
	end
end
