-- Sliding log, the twin of SlidingLogCalculator. The state is a sorted set with one member for each unit: the score is
-- the time, the member the time and a number that counts the units of one millisecond without gaps. Those of one
-- millisecond are alike: the highest numbers are refunded first.
-- Arguments: capacity, period.

-- arguments
capacity, window

-- prepare
local function change(command, score, from, to)
	local members = {}
	for number = from, to do
		if command == 'ZADD' then
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
end

-- look
local used, blocking, next_out = 0, 0, 0
local newest = tonumber(call('ZRANGE', key, -1, -1, 'WITHSCORES')[2] or 0)
if newest > now then
	local score = format('%d', now)
	local moved = call('ZREMRANGEBYSCORE', key, '(' .. score, '+inf')
	local first = call('ZCOUNT', key, score, score)
	change('ZADD', score, first, first + moved - 1)
	call('PEXPIRE', key, format('%d', window + 1000))
	newest = now
end
if newest > now - window then
	used = call('ZCOUNT', key, format('(%d', now - window), '+inf')
end
local fits = used + cost <= capacity
if used == 0 then
	newest = 0
else
	local oldest = call('ZCARD', key) - used
	local rank = oldest + math.max(0, used - capacity)
	next_out = tonumber(call('ZRANGE', key, rank, rank, 'WITHSCORES')[2])
	if not fits and cost > 0 and cost <= capacity then
		rank = oldest + used + cost - capacity - 1
		blocking = tonumber(call('ZRANGE', key, rank, rank, 'WITHSCORES')[2])
	end
end

-- reply
used, blocking, next_out, newest

-- take
call('ZREMRANGEBYSCORE', key, '-inf', format('%d', now - window))
local score = format('%d', now)
local first = call('ZCOUNT', key, score, score)
change('ZADD', score, first, first + cost - 1)
call('PEXPIRE', key, format('%d', window + 1000))

-- settle
if units > 0 then
	call('ZREMRANGEBYSCORE', key, '-inf', format('%d', now - window))
	local score = format('%d', math.min(now, taken))
	units = taken > now - window and units or 0
	local first = call('ZCOUNT', key, score, score)
	change('ZADD', score, first, first + math.min(units, 2 * capacity - call('ZCARD', key)) - 1)
else
	local score = format('%d', taken)
	local last = call('ZCOUNT', key, score, score) - 1
	change('ZREM', score, math.max(0, last + 1 + units), last)
end
local newest = call('ZRANGE', key, -1, -1, 'WITHSCORES')[2]
if newest then
	call('PEXPIRE', key, format('%d', math.max(0, newest + window - now) + 1000))
end

-- used
local used = call('ZCOUNT', key, format('(%d', now - window), '+inf')
