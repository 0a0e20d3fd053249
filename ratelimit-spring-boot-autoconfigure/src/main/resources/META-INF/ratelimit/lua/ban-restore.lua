-- Gives to the server what an instance knows and the server does not. The change with the highest number prevails.
-- ARGV  the place in the log up to which the instance has read; a random number; then for each: the member, the end, the kind, how many
--       in a row, when it was imposed or lifted, when it is forgotten, its number, the user
-- Reply the time; how many were missing
call('HSETNX', KEYS[4], 'data', ARGV[2])
if tonumber(call('HGET', KEYS[4], 'number') or 0) < tonumber(ARGV[1]) then
	call('HSET', KEYS[4], 'number', ARGV[1])
	mark(tonumber(ARGV[1]), ARGV[2])
end
local missing = 0
for i = 3, #ARGV - 7, 8 do
	local old = read(ARGV[i])
	local forgotten, number = tonumber(ARGV[i + 5]), tonumber(ARGV[i + 6])
	if forgotten > unix and (not old or old.number < number) then
		keep(ARGV[i], tonumber(ARGV[i + 1]), ARGV[i + 2], tonumber(ARGV[i + 3]), tonumber(ARGV[i + 4]), forgotten,
			number, ARGV[i + 7], ARGV[2])
		missing = missing + 1
	end
end
return { unix, missing }
