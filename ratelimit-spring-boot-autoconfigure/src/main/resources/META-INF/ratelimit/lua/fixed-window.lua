-- Fixed window, the twin of FixedWindowCalculator. The state is when the window closes, and the units used; zeros mean
-- unused.
-- Arguments: capacity; then the length of the windows, and what to add to a time so that they begin at multiples of it.
-- For windows by the calendar, which Lua does not know: 0; when the window of the instance opens, when it closes, when the next
-- one closes. If the clock of Redis is behind, the window before closes when that of the instance opens. If it is further ahead
-- than the next window, later windows have the length of that one.

-- arguments
capacity, length, first, second, third

-- state
closes, used

-- ahead
closes > (length > 0 and now + length or now < second and third or now + 2 * (third - second))

-- cut
closes = length > 0 and now + length or now < second and third or now + 2 * (third - second)
ttl = closes - now + 1000

-- look
if closes <= now then
	used = 0
	if length > 0 then
		-- Windows that a clock set back has moved stay moved until none is open.
		local start = now - (now + first) % length
		closes = (closes > start and now or start) + length
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
		local start = time - (time + first) % length
		return (closes > start and time or start) + length
	end
	return time < first and first or time < second and second
		or third + math.max(0, math.floor((time - third) / (third - second)) + 1) * (third - second)
end
local open = closes > now
if not open then
	closes, used = closing(now), 0
end
local taken_here = length > 0 and closes - length <= taken and taken < closes
	or length == 0 and closes <= third and closing(taken) == closes
if units > 0 then
	-- What was taken in a window before has come back.
	taken_here = length > 0 and taken >= math.min(now, closes - length) or length == 0 and closing(taken) == closing(now)
end
if taken_here and (open or units > 0) then
	used = math.max(0, math.min(used + units, math.max(used, 2 * capacity)))
	ttl = used > 0 and closes - now + 1000 or 0
end

-- used
local used = closes > now and used or 0
