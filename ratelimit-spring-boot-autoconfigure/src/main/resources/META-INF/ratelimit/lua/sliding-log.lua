-- Sliding log, the twin of SlidingLogCalculator. The state is a sorted set with one member for each unit: the score is
-- the time, the member the time and a number that counts the units of one millisecond without gaps. Those of one
-- millisecond are alike: the highest numbers are given back first.
-- Arguments: capacity, period.

-- arguments
capacity, window

-- look
local used = call('ZCOUNT', key, format('(%d', now - window), '+inf')
local fits = used + cost <= capacity
local blocking, next_out, newest = 0, 0, 0
if used > 0 then
	local oldest = call('ZCARD', key) - used
	local rank = oldest + math.max(0, used - capacity)
	next_out = tonumber(call('ZRANGE', key, rank, rank, 'WITHSCORES')[2])
	newest = tonumber(call('ZRANGE', key, -1, -1, 'WITHSCORES')[2])
	if not fits and cost > 0 and cost <= capacity then
		rank = oldest + used + cost - capacity - 1
		blocking = tonumber(call('ZRANGE', key, rank, rank, 'WITHSCORES')[2])
	end
end

-- reply
used, blocking, next_out, newest

-- take
call('ZREMRANGEBYSCORE', key, '-inf', format('%d', now - window))
local score, members = format('%d', now), {}
local first = call('ZCOUNT', key, score, score)
for number = first, first + cost - 1 do
	members[#members + 1] = score
	members[#members + 1] = score .. ':' .. number
	if #members == 1000 then
		call('ZADD', key, unpack(members))
		members = {}
	end
end
if #members > 0 then
	call('ZADD', key, unpack(members))
end
call('PEXPIRE', key, format('%d', math.max(newest, now) - now + window + 1000))

-- settle
local command, score, add, from, to = 'ZREM', format('%d', taken), false, 0, -1
if units > 0 then
	call('ZREMRANGEBYSCORE', key, '-inf', format('%d', now - window))
	command, score, add = 'ZADD', format('%d', now), true
	from = call('ZCOUNT', key, score, score)
	to = from + math.min(units, 2 * capacity - call('ZCARD', key)) - 1
else
	to = call('ZCOUNT', key, score, score) - 1
	from = math.max(0, to + 1 + units)
end
local members = {}
for number = from, to do
	if add then
		members[#members + 1] = score
	end
	members[#members + 1] = score .. ':' .. number
	if #members == 1000 then
		call(command, key, unpack(members))
		members = {}
	end
end
if #members > 0 then
	call(command, key, unpack(members))
end
local newest = call('ZRANGE', key, -1, -1, 'WITHSCORES')[2]
if newest then
	call('PEXPIRE', key, format('%d', math.max(0, newest + window - now) + 1000))
end

-- used
local used = call('ZCOUNT', key, format('(%d', now - window), '+inf')
