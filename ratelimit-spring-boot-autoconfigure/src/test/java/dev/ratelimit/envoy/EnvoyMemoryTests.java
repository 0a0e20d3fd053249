package dev.ratelimit.envoy;

import java.util.List;

class EnvoyMemoryTests extends EnvoyServiceContract {

	@Override
	List<String> store() {
		return List.of("--ratelimit.store=memory");
	}

}
