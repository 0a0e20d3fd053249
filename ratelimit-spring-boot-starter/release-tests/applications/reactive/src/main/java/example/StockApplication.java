package example;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * An application with the stock of a shop.
 */
@SpringBootApplication
public class StockApplication {

	public static void main(String[] args) {
		SpringApplication.run(StockApplication.class, args);
	}

	@RestController
	static class ItemsController {

		private final Items items;

		ItemsController(Items items) {
			this.items = items;
		}

		@GetMapping("/items")
		Flux<Item> list() {
			return this.items.findAll();
		}

		@GetMapping("/items/{id}")
		Mono<Item> find(@PathVariable Long id) {
			return this.items.findById(id)
				.switchIfEmpty(Mono.error(() -> new ResponseStatusException(HttpStatus.NOT_FOUND)));
		}

		@PostMapping("/items")
		@ResponseStatus(HttpStatus.CREATED)
		Mono<Item> add(@RequestBody Item item) {
			return this.items.save(item);
		}

	}

}
