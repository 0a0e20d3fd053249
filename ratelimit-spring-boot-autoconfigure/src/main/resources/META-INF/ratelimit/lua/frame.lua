-- Decides one demand: looks at every bucket, then takes from all of them or from none.
-- KEYS  the buckets; with a replay marker, the sorted set of its owner's markers last
-- ARGV  the time in ms since 2025 ('' for the server's), the replay marker's id ('' for none);
--       with a marker its ttl in ms, most replays, most markers;
--       then for each bucket: s (shadow), r (replayable), sr or -; algorithm; cost; the algorithm's own
-- Reply the time, 1 if admitted plus 2 if a replay, then each bucket's state before
local now = tonumber(ARGV[1])
if not now then
	local time = redis.call('TIME')
	now = (time[1] - 1735689600) * 1000 + math.floor(time[2] / 1000)
end

local first, count = 3, #KEYS
local marker, markers, score, replayed = ARGV[2], nil, nil, false
if marker ~= '' then
	first, count, markers = 6, count - 1, KEYS[count]
	-- A marker's score is its expiry and, in the last three digits, its replays.
	score = tonumber(redis.call('ZSCORE', markers, marker) or 0)
	if score < (now + 1) * 1000 then
		score = 0
	end
	replayed = score > 0 and score % 1000 < tonumber(ARGV[4])
end

local at, admitted, takes, reply = first, true, {}, { now, replayed and 2 or 0 }
for i = 1, count do
	local kind, algorithm, cost = ARGV[at], algorithms[ARGV[at + 1]], tonumber(ARGV[at + 2])
	local fits, state, after = algorithm.look(KEYS[i], cost, at + 3, now)
	reply[i + 2] = state
	takes[i] = false
	if cost > 0 and not (replayed and (kind == 'r' or kind == 'sr')) then
		if fits then
			takes[i] = after
		elseif kind == '-' or kind == 'r' then
			admitted = false
		end
	end
	at = at + 3 + algorithm.arguments
end
if not admitted then
	return reply
end

at = first
for i = 1, count do
	local algorithm = algorithms[ARGV[at + 1]]
	if takes[i] then
		algorithm.take(KEYS[i], takes[i], at + 3, now)
	end
	at = at + 3 + algorithm.arguments
end
reply[2] = reply[2] + 1
if replayed then
	redis.call('ZINCRBY', markers, 1, marker)
	redis.call('PEXPIRE', markers, string.format('%.0f', ARGV[3] + 1000))
elseif markers and score == 0 then
	redis.call('ZREMRANGEBYSCORE', markers, '-inf', string.format('(%.0f', (now + 1) * 1000))
	if redis.call('ZCARD', markers) < tonumber(ARGV[5]) then
		redis.call('ZADD', markers, string.format('%.0f', (now + ARGV[3]) * 1000), marker)
		redis.call('PEXPIRE', markers, string.format('%.0f', ARGV[3] + 1000))
	end
end
return reply
