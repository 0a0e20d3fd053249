-- Sliding window counter, the twin of SlidingWindowArithmetic. The state is "<start of the current window> <units of the
-- one before> <its own units>"; no key means unused.
-- Arguments: capacity, length of the windows, what to add to a time so that windows begin at multiples of the length.

-- state
local length, following = tonumber(ARGV[at + 1]), at + 3
local state, kept, older, newer = call('GET', key), 0, 0, 0
if state then
	kept, older, newer = string.match(state, '(%d+) (%d+) (%d+)')
	kept, older, newer = tonumber(kept), tonumber(older), tonumber(newer)
end
local start, previous, current = now - (now + ARGV[at + 2]) % length, 0, 0
if kept >= start then
	start, previous, current = kept, older, newer
elseif kept == start - length then
	previous = newer
end
local left = length - math.max(0, now - start)

-- look
local fits = previous * left + (current + cost) * length <= ARGV[at] * length

-- reply
kept, older, newer

-- take
call('SET', key, format('%d %d %d', start, previous, current + cost), 'PX',
	format('%d', start + 2 * length - now + 1000))

-- settle
local most = 2 * ARGV[at]
local began = taken - (taken + ARGV[at + 2]) % length
if units > 0 then
	local used = math.ceil(previous * left / length) + current
	current = current + math.max(0, math.min(units, most - used))
elseif began == start then
	current = math.max(0, current + units)
elseif began == start - length then
	previous = math.max(0, previous + units)
end
if current > 0 or previous > 0 then
	call('SET', key, format('%d %d %d', start, previous, current), 'PX',
		format('%d', start + (current > 0 and 2 or 1) * length - now + 1000))
else
	call('DEL', key)
end

-- used
local used = math.ceil(previous * left / length) + current
