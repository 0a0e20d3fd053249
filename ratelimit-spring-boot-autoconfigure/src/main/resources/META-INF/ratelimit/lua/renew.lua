-- Renews the slots that an instance holds, and sets how many they are: the twin of ConcurrencyCalculator.hold.
-- KEYS  the buckets
-- ARGV  the id of the instance; then for each bucket: units that the instance holds; how long a lease lasts in ms
-- Reply the time; how many buckets no longer knew the instance
local id, lost = ARGV[1], 0
for i, key in ipairs(KEYS) do
	local units, lease = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
	local own = -tonumber(call('ZSCORE', key, '-' .. id) or 0)
	local total = -tonumber(call('ZSCORE', key, 'total') or 0) - own + units
	if own == 0 and units > 0 then
		lost = lost + 1
	end
	if total == 0 then
		call('DEL', key)
	else
		if units == 0 then
			call('ZREM', key, '+' .. id, '-' .. id)
		else
			call('ZADD', key, format('%d', now), '+' .. id, format('%.0f', -units), '-' .. id)
		end
		call('ZADD', key, format('%.0f', -total), 'total')
		call('PEXPIRE', key, format('%d', lease + 1000))
	end
end
return { now, lost }
