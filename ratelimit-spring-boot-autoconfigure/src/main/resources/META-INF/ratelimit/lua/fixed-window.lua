-- Fixed window, the twin of FixedWindowCalculator. The state is when the window closes, and the units used; zeros mean
-- unused.
-- Arguments: capacity; then the length of the windows, and what to add to a time so that they begin at multiples of it.
-- By the calendar, which Lua does not know: 0; when the caller's window opens, when it closes, when the next one closes.
-- To a clock that is behind the caller's, the window before closes where the caller's opens; to one that is further
-- ahead than the next window, windows go on at that one's length.

-- arguments
capacity, length, first, second, third

-- state
closes, used

-- look
if closes <= now then
	used = 0
	if length > 0 then
		closes = now - (now + first) % length + length
	else
		closes = now < first and first or now < second and second
			or third + math.max(0, math.floor((now - third) / (third - second)) + 1) * (third - second)
	end
end
local fits = used + cost <= capacity

-- reply
closes, used

-- take
used, ttl = used + cost, closes - now + 1000

-- settle
local function closing(time)
	if length > 0 then
		return time - (time + first) % length + length
	end
	return time < first and first or time < second and second
		or third + math.max(0, math.floor((time - third) / (third - second)) + 1) * (third - second)
end
local open = closes > now
if not open then
	closes, used = closing(now), 0
end
if units > 0 or (open and (length > 0 or closes <= third) and closing(taken) == closes) then
	used = math.max(0, math.min(used + units, math.max(used, 2 * capacity)))
	ttl = used > 0 and closes - now + 1000 or 0
end

-- used
local used = closes > now and used or 0
