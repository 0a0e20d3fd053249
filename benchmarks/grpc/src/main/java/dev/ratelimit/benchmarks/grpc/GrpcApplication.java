package dev.ratelimit.benchmarks.grpc;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The application that the gRPC benchmark calls. Its properties define its limits.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class GrpcApplication {

	public static void main(String[] args) {
		SpringApplication.run(GrpcApplication.class, args);
	}

}
