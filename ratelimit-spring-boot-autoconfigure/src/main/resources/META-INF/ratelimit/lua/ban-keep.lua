-- What scripts of bans share. A ban is a text: its place in the log, the end (0 if lifted), the kind, how many in a row, when
-- it was imposed or lifted, when it is forgotten, its number, and the user. All times are Unix times in ms. Of two changes of
-- a member, the one with the higher number prevails: also if a server has lost the last changes, later ones have higher
-- numbers than those that the instance which makes them has seen, and than the time. Each of the last places has a random
-- number, by which an instance notices that what it has read there was lost, also if others have changed as much since.
-- KEYS  the members by the time when they are forgotten; the members by number; the texts by member; the newest number,
--       the random number of these data, and the brakes
local unix = now + 1735689600000
local function read(name)
	local text = call('HGET', KEYS[3], name)
	if not text then
		return nil
	end
	local place, ends, kind, times, at, forgotten, number = string.match(text,
		'^(%d+) (%d+) (%a+) (%d+) (%d+) (%d+) (%d+) ')
	return { place = tonumber(place), ends = tonumber(ends), kind = kind, times = tonumber(times), at = tonumber(at),
		forgotten = tonumber(forgotten), number = tonumber(number) }
end
local function saw(number)
	call('HSET', KEYS[4], 'change', format('%.0f', math.max(tonumber(call('HGET', KEYS[4], 'change') or 0), number)))
end
local function following(known)
	return math.max(tonumber(call('HGET', KEYS[4], 'change') or 0), tonumber(known), unix) + 1
end
local PLACES = 256
local function field(place)
	return format('place:%.0f', place % PLACES)
end
local function random_at(place)
	local marked, random = string.match(call('HGET', KEYS[4], field(place)) or '', '^(%d+) (%d+)$')
	return tonumber(marked) == place and tonumber(random) or 0
end
local function mark(place, random)
	call('HSET', KEYS[4], field(place), format('%.0f ', place) .. random)
end
local function keep(name, ends, kind, times, at, forgotten, number, user, random)
	local count = call('HINCRBY', KEYS[4], 'number', 1)
	local place = format('%.0f', count)
	mark(count, random)
	saw(number)
	call('HSET', KEYS[3], name,
		place .. format(' %.0f %s %.0f %.0f %.0f %.0f ', ends, kind, times, at, forgotten, number) .. user)
	call('ZADD', KEYS[2], place, name)
	call('ZADD', KEYS[1], format('%.0f', forgotten), name)
	for i = 1, 4 do
		if call('PTTL', KEYS[i]) < forgotten - unix + 3600000 then
			call('PEXPIRE', KEYS[i], format('%.0f', forgotten - unix + 3600000))
		end
	end
end
local function drop(name)
	call('ZREM', KEYS[1], name)
	call('ZREM', KEYS[2], name)
	call('HDEL', KEYS[3], name)
end
local function forget()
	for _, name in ipairs(call('ZRANGEBYSCORE', KEYS[1], '-inf', format('%.0f', unix), 'LIMIT', 0, 100)) do
		drop(name)
	end
end
-- Makes room for another member, and says whether there is. A ban that has ended only makes the next one longer, so it gives way; a lift does
-- not, since an instance may have a copy of the ban.
local function make_room(most)
	if call('ZCARD', KEYS[1]) < most then
		return true
	end
	for _, name in ipairs(call('ZRANGE', KEYS[1], 0, 199)) do
		local ban = read(name)
		if ban and ban.ends > 0 and ban.ends <= unix then
			drop(name)
			return true
		end
	end
	return false
end
