-- Fixed window, the twin of FixedWindowArithmetic. The state is "<when the window closes> <units used>"; no key means
-- unused.
-- Arguments: capacity, length of the windows, what to add to a time so that windows begin at multiples of the length.

-- look
local length, following = tonumber(ARGV[at + 1]), at + 3
local closes, used = now - (now + ARGV[at + 2]) % length + length, 0
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
call('SET', key, format('%.0f %.0f', closes, used + cost), 'PX', format('%.0f', closes - now + 1000))

-- settle
local most, length, following = 2 * ARGV[at], tonumber(ARGV[at + 1]), at + 3
local closes, used, open = now - (now + ARGV[at + 2]) % length + length, 0, false
local state = call('GET', key)
if state then
	local kept, count = string.match(state, '(%d+) (%d+)')
	if tonumber(kept) > now then
		closes, used, open = tonumber(kept), tonumber(count), true
	end
end
if units > 0 or (open and taken - (taken + ARGV[at + 2]) % length + length == closes) then
	used = math.max(0, math.min(used + units, math.max(used, most)))
	if used > 0 then
		call('SET', key, format('%.0f %.0f', closes, used), 'PX', format('%.0f', closes - now + 1000))
	else
		call('DEL', key)
	end
end

-- used
local used, following = 0, at + 3
local kept, units = string.match(call('GET', key), '(%d+) (%d+)')
if tonumber(kept) > now then
	used = tonumber(units)
end
