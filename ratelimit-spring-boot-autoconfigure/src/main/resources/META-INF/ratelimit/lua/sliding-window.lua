-- Sliding window counter, the twin of SlidingWindowCalculator. The state is the start of the current window, the units of
-- the one before, and its own units; zeros mean unused.
-- Arguments: capacity, length of the windows, what to add to a time so that windows begin at multiples of the length.

-- arguments
capacity, length, offset

-- state
kept, older, newer

-- ahead
kept > now

-- cut
kept, ttl = now, 2 * length + 1000

-- prepare
local start, previous, current = kept, older, newer
if now - kept >= 2 * length or older + newer == 0 then
	start, previous, current = now - (now + offset) % length, 0, 0
elseif now - kept >= length then
	start, previous, current = kept + length, newer, 0
end
local left = length - math.max(0, now - start)

-- look
local fits = previous * left + (current + cost) * length <= capacity * length

-- reply
kept, older, newer

-- take
kept, older, newer, ttl = start, previous, current + cost, start + 2 * length - now + 1000

-- settle
if units > 0 and taken >= math.min(now, start) then
	local used = math.ceil(previous * left / length) + current
	current = current + math.max(0, math.min(units, 2 * capacity - used))
elseif units > 0 and taken >= start - length then
	previous = previous + math.max(0, math.min(units, 2 * capacity - previous))
elseif taken >= start and taken < start + length then
	current = math.max(0, current + units)
elseif taken >= start - length and taken < start then
	previous = math.max(0, previous + units)
end
kept, older, newer, ttl = start, previous, current, 0
if current > 0 or previous > 0 then
	ttl = start + (current > 0 and 2 or 1) * length - now + 1000
end

-- used
local used = math.ceil(previous * left / length) + current
