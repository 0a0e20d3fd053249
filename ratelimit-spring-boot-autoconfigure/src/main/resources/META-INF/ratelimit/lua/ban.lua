-- Imposes a ban, mark, or pause, or lifts what there is.
-- ARGV  the member; ban, mark, pause, or lift; ms that the first lasts; the factor of further ones; at most; ms until it is
--       forgotten; the rule; how many strikes can impose in a minute, 0 if they do not; how many members there can be; a
--       random number; the user; the highest number that the instance has seen; the time after which nothing is changed; the
--       number of what is to be lifted, as far as the instance has seen it
-- Reply the time; 1 imposed or lifted, 0 kept or nothing to lift, -1 braked, -2 full, -3 too late, -4 the instance knows more of
--       what is to be lifted than is there; the end; how many in a row; when it is forgotten; its number
local old = read(ARGV[1])
-- A call that comes twice is made once.
if old and random_at(old.place) == tonumber(ARGV[10]) then
	return { unix, 1, old.ends, old.times, old.forgotten, old.number }
end
if unix > tonumber(ARGV[13]) then
	return { unix, -3, 0, 0, 0, 0 }
end
forget()
old = read(ARGV[1])
call('HSETNX', KEYS[4], 'data', ARGV[10])
local active = old and old.ends > unix
if ARGV[2] == 'lift' then
	if (old and old.number or 0) < tonumber(ARGV[14]) then
		return { unix, -4, 0, 0, 0, 0 }
	end
	if not active then
		return { unix, 0, 0, 0, 0, 0 }
	end
	-- As long as an instance can have a copy of the ban, or of an earlier one that lasts longer.
	local forgotten, number = math.max(unix + 3600000, old.forgotten), following(ARGV[12])
	keep(ARGV[1], 0, old.kind, 0, unix, forgotten, number, ARGV[11], ARGV[10])
	return { unix, 1, 0, 0, forgotten, number }
end
local pause = ARGV[2] == 'pause'
local brake = tonumber(ARGV[8])
local times = (old and old.times or 0) + (pause and 0 or 1)
local ends = unix + math.floor(math.min(tonumber(ARGV[5]), ARGV[3] * ARGV[4] ^ (math.max(1, times) - 1)))
local paused = old and old.kind == 'pause'
-- A ban that takes the place of a pause does not end it earlier.
if brake > 0 and paused then
	ends = math.max(ends, old.ends)
end
local kept = brake > 0 and (not paused or ARGV[2] == 'mark')
if pause then
	kept = active and (old.kind == 'ban' or paused and old.ends >= ends)
end
if active and kept then
	return { unix, 0, old.ends, old.times, old.forgotten, old.number }
end
local field = 'brake:' .. ARGV[7]
local minute, count = format('%.0f', math.floor(unix / 60000)), 0
if brake > 0 then
	local then_, number = string.match(call('HGET', KEYS[4], field) or '', '^(%d+) (%d+)$')
	count = (then_ == minute) and tonumber(number) or 0
	if count >= brake then
		return { unix, -1, 0, 0, 0, 0 }
	end
end
if not old and not make_room(tonumber(ARGV[9])) then
	return { unix, -2, 0, 0, 0, 0 }
end
if brake > 0 then
	call('HSET', KEYS[4], field, minute .. format(' %.0f', count + 1))
end
local forgotten = math.max(ends + ARGV[6], old and old.forgotten or 0)
local number = following(ARGV[12])
keep(ARGV[1], ends, ARGV[2], times, unix, forgotten, number, ARGV[11], ARGV[10])
return { unix, 1, ends, times, forgotten, number }
