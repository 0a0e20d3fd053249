package example;

import org.springframework.data.repository.reactive.ReactiveCrudRepository;

interface Items extends ReactiveCrudRepository<Item, Long> {

}
