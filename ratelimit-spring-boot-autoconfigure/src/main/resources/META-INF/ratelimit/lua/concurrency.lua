-- Concurrency, the twin of ConcurrencyCalculator. The state is a sorted set with two members for each instance that holds
-- slots: +<id> by the time of its latest beat, -<id> by its units, negative; and total by the sum of these. Without a beat
-- for a lease, an instance holds nothing any more.
-- Arguments: capacity, lease, the id of the instance.

-- arguments
capacity, lease, holder

-- prepare
local id = format('%.0f', holder)
local scores = call('ZMSCORE', key, 'total', '-' .. id, '+' .. id)
local total, own, beat, gone = -tonumber(scores[1] or 0), -tonumber(scores[2] or 0), tonumber(scores[3] or 0), 0
local ended = {}
if total > own then
	local count = call('ZCOUNT', key, '0', format('%d', now - lease))
	if count > 0 then
		local first = call('ZCOUNT', key, '-inf', '(0')
		ended = call('ZRANGE', key, first, first + count - 1)
	end
	for _, member in ipairs(ended) do
		gone = gone - call('ZSCORE', key, '-' .. string.sub(member, 2))
	end
elseif total > 0 and beat <= now - lease then
	-- No other instance holds slots.
	ended[1], gone = '+' .. id, total
end
local function drop()
	total = total - gone
	for _, member in ipairs(ended) do
		call('ZREM', key, member, '-' .. string.sub(member, 2))
		if member == '+' .. id then
			own = 0
		end
	end
	if gone > 0 and total == 0 then
		call('DEL', key)
	elseif gone > 0 then
		call('ZADD', key, format('%.0f', -total), 'total')
	end
end

-- look
local used, newest = total - gone, 0
if used > 0 and total > own then
	newest = tonumber(call('ZRANGE', key, -1, -1, 'WITHSCORES')[2])
elseif used > 0 then
	newest = beat
end
if newest > now then
	-- The clock was set back: no slot outlives a lease from now on.
	local beats = call('ZCOUNT', key, format('(%d', now), '+inf')
	for _, member in ipairs(call('ZRANGE', key, -beats, -1)) do
		call('ZADD', key, format('%d', now), member)
	end
	newest = now
	call('PEXPIRE', key, format('%d', lease + 1000))
end
local fits = used + cost <= capacity

-- reply
used, newest

-- take
drop()
call('ZADD', key, format('%d', now), '+' .. id, format('%.0f', -own - cost), '-' .. id, format('%.0f', -total - cost),
	'total')
call('PEXPIRE', key, format('%d', lease + 1000))

-- settle
drop()
local change = units < 0 and -math.min(-units, own) or math.min(units, math.max(0, 2 * capacity - total))
local left, rest = own + change, total + change
if change ~= 0 and rest == 0 then
	call('DEL', key)
elseif change ~= 0 and left == 0 then
	call('ZREM', key, '+' .. id, '-' .. id)
	call('ZADD', key, format('%.0f', -rest), 'total')
elseif change ~= 0 then
	call('ZADD', key, format('%.0f', -left), '-' .. id, format('%.0f', -rest), 'total')
	if own == 0 then
		call('ZADD', key, format('%d', now), '+' .. id)
	end
end
if rest > 0 then
	call('PEXPIRE', key, format('%d', lease + 1000))
end

-- used
local used = total - gone
