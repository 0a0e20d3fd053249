-- Gives back what an instance knows to a server that has lost it. The latest entry of a member prevails.
-- ARGV  the newest number that the instance knows; a random number; then for each: the member, the end, the kind, how many
--       in a row, when it was imposed or lifted, when it is forgotten, the user
-- Reply the time; how many were missing
call('HSETNX', KEYS[4], 'data', ARGV[2])
if tonumber(call('HGET', KEYS[4], 'number') or 0) < tonumber(ARGV[1]) then
	call('HSET', KEYS[4], 'number', ARGV[1])
end
local missing = 0
for i = 3, #ARGV - 6, 7 do
	local old = read(ARGV[i])
	local at, forgotten = tonumber(ARGV[i + 4]), tonumber(ARGV[i + 5])
	if forgotten > unix and (not old or old.at < at) then
		keep(ARGV[i], tonumber(ARGV[i + 1]), ARGV[i + 2], tonumber(ARGV[i + 3]), at, forgotten, ARGV[i + 6])
		missing = missing + 1
	end
end
return { unix, missing }
