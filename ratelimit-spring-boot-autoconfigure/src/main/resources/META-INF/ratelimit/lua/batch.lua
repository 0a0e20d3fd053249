-- Runs several calls of scripts, each as if it was alone: an error of one is the reply to that one.
-- KEYS  those of all calls
-- ARGV  four bytes for each call: its script, how many keys, how many arguments (two bytes); then the arguments of all calls
-- Reply for each call: how many numbers, and the numbers; or -1, and the error
local k, a, r, calls = 0, 1, 1, ARGV[1]
for at = 1, #calls, 4 do
	local script, keys, low, high = string.byte(calls, at, at + 3)
	local arguments = low + 256 * high
	local done, failure = pcall(parts[script], k, a, r, keys, arguments)
	if done then
		r = r + 1 + reply[r]
	else
		reply[r], reply[r + 1] = -1, tostring(type(failure) == 'table' and failure.err or failure)
		r = r + 2
	end
	k, a = k + keys, a + arguments
end
-- What a call has written before it failed.
reply[r] = nil
return reply
