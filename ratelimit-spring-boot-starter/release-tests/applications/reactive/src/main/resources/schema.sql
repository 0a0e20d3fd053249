create table if not exists item (id identity primary key, name varchar(100) not null, count int not null);
