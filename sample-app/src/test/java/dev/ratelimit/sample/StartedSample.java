package dev.ratelimit.sample;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/**
 * The sample in the process of the tests.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "ratelimit.deadline=20s")
abstract class StartedSample extends SampleContract {

	@LocalServerPort
	private int port;

	@Override
	int port() {
		return this.port;
	}

}
