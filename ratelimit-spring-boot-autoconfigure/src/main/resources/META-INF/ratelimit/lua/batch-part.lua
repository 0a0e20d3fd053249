-- Makes a part of a batch of a script that has keys and arguments of its own.
local function part(script)
	return function(k, a, r, keys, arguments)
		local own = script({ unpack(KEYS, k + 1, k + keys) }, { unpack(ARGV, a + 1, a + arguments) })
		reply[r] = #own
		for i, number in ipairs(own) do
			reply[r + i] = number
		end
	end
end
