package dev.ratelimit.envoy;

import java.util.List;

class EnvoyMemoryVectorsTests extends EnvoyVectorsContract {

	@Override
	List<String> store() {
		return List.of("--ratelimit.store=memory");
	}

}
