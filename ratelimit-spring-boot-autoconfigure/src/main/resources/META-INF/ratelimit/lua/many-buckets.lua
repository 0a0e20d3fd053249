-- Decides any request: reads every bucket, then charges all of them or none.
-- KEYS  the buckets; with a replay marker, the sorted set of its owner's markers last
-- ARGV  the replay marker's id, '' for none; with a marker its ttl in ms, most replays, most markers;
--       then for each bucket: - or s (shadow) or r (replayable) or sr; algorithm; cost; what says which bucket it is
-- Reply the time; the sum of 1 if allowed, 2 if a replay, 4 if a marker was set; what was seen of each bucket
local at, count = 2, #KEYS
local marker, markers, score, replayed = ARGV[1], nil, nil, false
if marker ~= '' then
	at, count, markers = 5, count - 1, KEYS[count]
	-- A marker's score is its expiry and, in the last three digits, its replays.
	score = tonumber(call('ZSCORE', markers, marker) or 0)
	if score < (now + 1) * 1000 then
		score = 0
	end
	replayed = score > 0 and score % 1000 < tonumber(ARGV[3])
end

local admitted, takes, reply = true, {}, { now, replayed and 2 or 0 }
for i = 1, count do
	local kind, cost = ARGV[at], tonumber(ARGV[at + 2])
	local fits, take = algorithms[ARGV[at + 1]](KEYS[i], cost, at + 3, reply)
	if cost > 0 and not (replayed and (kind == 'r' or kind == 'sr')) then
		if fits then
			takes[#takes + 1] = take
		elseif kind == '-' or kind == 'r' then
			admitted = false
		end
	end
	at = at + 3 + width
end
if not admitted then
	-- Nothing is taken; what a clock set back has left too far ahead may be cut.
	save()
	return reply
end

for _, take in ipairs(takes) do
	take()
end
save()
reply[2] = reply[2] + 1
if replayed then
	call('ZINCRBY', markers, 1, marker)
	call('PEXPIRE', markers, format('%d', ARGV[2] + 1000))
elseif markers and score == 0 then
	call('ZREMRANGEBYSCORE', markers, '-inf', format('(%d', (now + 1) * 1000))
	if call('ZCARD', markers) < tonumber(ARGV[4]) then
		call('ZADD', markers, format('%d', (now + ARGV[2]) * 1000), marker)
		call('PEXPIRE', markers, format('%d', ARGV[2] + 1000))
		reply[2] = reply[2] + 4
	end
end
return reply
