-- Corrects the charges of requests that were allowed, or charges requests that were allowed without this server.
-- KEYS  the buckets; the sorted set of an owner's replay markers last, if a marker is to be taken back
-- ARGV  the replay marker's id, '' for none; with a marker '' to take back a replay, or the number of first buckets
--       whose charges the marker waives for replays, to forget the marker: if a replay was free, it takes over these
--       charges instead; then for each bucket: algorithm; time of the charge, which is that of units to refund, and of units to add
--       counts as now if it is ''; units to add, negative to refund; what says which bucket it is
-- Reply the time, 1
local at, count, stand, marker = 2, #KEYS, 0, ARGV[1]
if marker ~= '' then
	at, count = 3, count - 1
	if tonumber(call('ZSCORE', KEYS[#KEYS], marker) or 0) % 1000 > 0 then
		call('ZINCRBY', KEYS[#KEYS], -1, marker)
		stand = tonumber(ARGV[2]) or 0
	elseif ARGV[2] ~= '' then
		call('ZREM', KEYS[#KEYS], marker)
	end
end
for i = 1, count do
	if i > stand then
		algorithms[ARGV[at]](KEYS[i], tonumber(ARGV[at + 1]) or now, tonumber(ARGV[at + 2]), at + 3)
	end
	at = at + 3 + width
end
save()
return { now, 1 }
