package com.example.notes;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;

@SpringBootApplication
@EnableCaching
public class NotesApplication {

	public static ConfigurableApplicationContext start(String... properties) {
		return new SpringApplicationBuilder(NotesApplication.class)
			.properties("server.port=0", "spring.jpa.open-in-view=false", "management.endpoints.web.exposure.include=*")
			.properties(properties)
			.run();
	}

}
