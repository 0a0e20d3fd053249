package dev.ratelimit.sample;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ActiveProfiles;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.grpc.server.port=0")
@ActiveProfiles("grpc")
class GrpcTests extends GrpcContract {

	@LocalServerPort
	private int port;

	@Override
	int port() {
		return this.port;
	}

}
