package dev.ratelimit.benchmarks.grpc;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Serves gRPC as its properties have it.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class GrpcApplication {

	public static void main(String[] args) {
		SpringApplication.run(GrpcApplication.class, args);
	}

}
