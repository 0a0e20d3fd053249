-- Fixed window, the twin of FixedWindowArithmetic. The state is "<when the window closes> <units used>"; no key means
-- unused.
-- Arguments: capacity; then the length of the windows, and what to add to a time so that they begin at multiples of it.
-- By the calendar, which Lua does not know: 0; when the caller's window opens, when it closes, when the next one closes.
-- To a clock that is behind the caller's, the window before closes where the caller's opens; to one that is further
-- ahead than the next window, windows go on at that one's length.

-- look
local length, following, closes, used = tonumber(ARGV[at + 1]), at + 3, 0, 0
if length > 0 then
	closes = now - (now + ARGV[at + 2]) % length + length
else
	local first, second, third = tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4])
	following = at + 5
	closes = now < first and first or now < second and second
		or third + math.max(0, math.floor((now - third) / (third - second)) + 1) * (third - second)
end
local state = call('GET', key)
if state then
	local kept, units = string.match(state, '(%d+) (%d+)')
	if tonumber(kept) > now then
		closes, used = tonumber(kept), tonumber(units)
	end
end
local fits = used + cost <= tonumber(ARGV[at])

-- reply
closes, used

-- take
call('SET', key, format('%d %d', closes, used + cost), 'PX', format('%d', closes - now + 1000))

-- settle
local most, length, following = 2 * ARGV[at], tonumber(ARGV[at + 1]), at + 3
local first, second, third = tonumber(ARGV[at + 2]), nil, math.huge
if length == 0 then
	second, third, following = tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4]), at + 5
end
local function closing(time)
	if length > 0 then
		return time - (time + first) % length + length
	end
	return time < first and first or time < second and second
		or third + math.max(0, math.floor((time - third) / (third - second)) + 1) * (third - second)
end
local closes, used, open = closing(now), 0, false
local state = call('GET', key)
if state then
	local kept, count = string.match(state, '(%d+) (%d+)')
	if tonumber(kept) > now then
		closes, used, open = tonumber(kept), tonumber(count), true
	end
end
if units > 0 or (open and closes <= third and closing(taken) == closes) then
	used = math.max(0, math.min(used + units, math.max(used, most)))
	if used > 0 then
		call('SET', key, format('%d %d', closes, used), 'PX', format('%d', closes - now + 1000))
	else
		call('DEL', key)
	end
end

-- used
local used, following = 0, tonumber(ARGV[at + 1]) == 0 and at + 5 or at + 3
local kept, units = string.match(call('GET', key), '(%d+) (%d+)')
if tonumber(kept) > now then
	used = tonumber(units)
end
