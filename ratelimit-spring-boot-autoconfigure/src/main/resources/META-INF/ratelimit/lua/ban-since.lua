-- Reads the newest place in the log of bans, so that an instance knows whether to read on, and whether what it has read is still there.
-- ARGV  the place in the log up to which the instance has read; the random number of that place, 0 if it does not have it
-- Reply the time; the newest place; the random number of these data; that of the newest place, 0 if there is none; 1 if what the
--       instance has read was lost
local newest = tonumber(call('HGET', KEYS[4], 'number') or 0)
local place, number = tonumber(ARGV[1]), tonumber(ARGV[2])
local lost = place > newest or (number > 0 and newest - place < PLACES and random_at(place) ~= number)
return { unix, newest, tonumber(call('HGET', KEYS[4], 'data') or 0), random_at(newest), lost and 1 or 0 }
