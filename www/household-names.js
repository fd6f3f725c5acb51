// What everything in household-catalogue.js is called in English, by its Russian name. What has no
// English name is an error, so that no table mixes the languages.

const UNITS = { шт: "pcs", кг: "kg" };

const SHOPS = {
  "Гипермаркет Океан": "Ocean Hypermarket",
  Берёзка: "Birch",
  "Рынок на Садовой": "Garden Street Market",
  Уголок: "Corner",
};

const LABELS = {
  "Для завтрака": "For breakfast",
  "Для детей": "For children",
  "На дачу": "For the country house",
  "К празднику": "For the holidays",
};

const PRODUCTS = {
  "Молочные продукты": "Dairy",
  "Молоко и кисломолочное": "Milk and sour milk",
  Молоко: "Milk",
  Кефир: "Kefir",
  Йогурт: "Yogurt",
  Сметана: "Sour cream",
  "Сыр и масло": "Cheese and butter",
  "Твёрдый сыр": "Hard cheese",
  "Сливочное масло": "Butter",
  Творог: "Cottage cheese",

  "Хлеб и бакалея": "Bread and groceries",
  Хлеб: "Bread",
  "Чёрный хлеб": "Rye bread",
  "Белый хлеб": "White bread",
  Крупы: "Grains",
  Рис: "Rice",
  Гречка: "Buckwheat",
  Макароны: "Pasta",
  Хлопья: "Cereal",
  "Мука и сахар": "Flour and sugar",
  Мука: "Flour",
  Сахар: "Sugar",
  "Подсолнечное масло": "Sunflower oil",

  "Овощи и фрукты": "Vegetables and fruit",
  Овощи: "Vegetables",
  Картофель: "Potatoes",
  Морковь: "Carrots",
  Лук: "Onions",
  Огурцы: "Cucumbers",
  Помидоры: "Tomatoes",
  Капуста: "Cabbage",
  Фрукты: "Fruit",
  Яблоки: "Apples",
  Бананы: "Bananas",
  Мандарины: "Tangerines",
  Арбузы: "Watermelons",
  Клубника: "Strawberries",

  "Мясо, рыба, яйца": "Meat, fish, eggs",
  Мясо: "Meat",
  Курица: "Chicken",
  Говядина: "Beef",
  Фарш: "Mince",
  Колбаса: "Sausage",
  Шашлык: "Kebab",
  Рыба: "Fish",
  "Красная рыба": "Salmon and trout",
  "Замороженная рыба": "Frozen fish",
  Яйца: "Eggs",
  "Куриные яйца": "Hen eggs",

  "Напитки и сладкое": "Drinks and sweets",
  Напитки: "Drinks",
  Кофе: "Coffee",
  Чай: "Tea",
  Сок: "Juice",
  "Минеральная вода": "Mineral water",
  Квас: "Kvass",
  Сладкое: "Sweets",
  Шоколад: "Chocolate",
  Печенье: "Biscuits",
  Мороженое: "Ice cream",
  "Шампанское и праздничное": "Champagne and party drinks",

  "Дом и уход": "Home and care",
  Уборка: "Cleaning",
  "Средство для посуды": "Washing-up liquid",
  Порошок: "Washing powder",
  "Бумажные полотенца": "Paper towels",
  Уход: "Personal care",
  "Туалетная бумага": "Toilet paper",
  "Зубная паста": "Toothpaste",
  Шампунь: "Shampoo",
  Дети: "Children",
  Подгузники: "Nappies",
  "Детское пюре": "Baby food",
  Животные: "Pets",
  "Корм для кошки": "Cat food",
};

const ITEMS = {
  "Молоко Луговое 3,2% 0,93 л": "Milk Meadow 3.2% 0.93 l",
  "Молоко Луговое 2,5% 1,4 л": "Milk Meadow 2.5% 1.4 l",
  "Молоко Ферма у реки 3,5% 1 л": "Milk River Farm 3.5% 1 l",
  "Кефир Луговой 1% 0,93 л": "Kefir Meadow 1% 0.93 l",
  "Кефир Ферма у реки 2,5% 0,5 л": "Kefir River Farm 2.5% 0.5 l",
  "Йогурт Ягодка клубника 125 г": "Yogurt Berry strawberry 125 g",
  "Йогурт Ягодка персик 4×125 г": "Yogurt Berry peach 4×125 g",
  "Сметана Луговая 20% 300 г": "Sour cream Meadow 20% 300 g",
  "Сыр Российский": "Cheese Rossiysky",
  "Сыр Костромской": "Cheese Kostroma",
  "Масло Луговое 82,5% 180 г": "Butter Meadow 82.5% 180 g",
  "Масло Крестьянское 72,5% 400 г": "Butter Farmhouse 72.5% 400 g",
  "Творог Луговой 9% 200 г": "Cottage cheese Meadow 9% 200 g",
  "Творог домашний 500 г": "Cottage cheese homemade 500 g",

  "Хлеб Бородинский 400 г": "Bread Borodinsky 400 g",
  "Батон нарезной 400 г": "White loaf 400 g",
  "Хлеб тостовый 500 г": "Toast bread 500 g",
  "Рис круглозёрный 800 г": "Rice short-grain 800 g",
  "Рис длиннозёрный 900 г": "Rice long-grain 900 g",
  "Гречка ядрица 800 г": "Buckwheat whole 800 g",
  "Макароны рожки 450 г": "Elbow macaroni 450 g",
  "Спагетти 500 г": "Spaghetti 500 g",
  "Хлопья овсяные 500 г": "Oat flakes 500 g",
  "Хлопья кукурузные 300 г": "Corn flakes 300 g",
  "Мука пшеничная 2 кг": "Wheat flour 2 kg",
  "Сахар-песок 1 кг": "Granulated sugar 1 kg",
  "Масло подсолнечное 0,9 л": "Sunflower oil 0.9 l",

  Картофель: "Potatoes",
  Морковь: "Carrots",
  "Лук репчатый": "Yellow onions",
  "Огурцы гладкие": "Smooth cucumbers",
  "Огурцы короткоплодные": "Short cucumbers",
  "Помидоры розовые": "Pink tomatoes",
  "Помидоры сливка": "Plum tomatoes",
  "Капуста белокочанная": "White cabbage",
  "Яблоки сезонные": "Seasonal apples",
  "Яблоки зелёные": "Green apples",
  Бананы: "Bananas",
  Мандарины: "Tangerines",
  Арбуз: "Watermelon",
  Клубника: "Strawberries",

  "Филе куриное": "Chicken fillet",
  "Голень куриная": "Chicken drumsticks",
  "Говядина лопатка": "Beef shoulder",
  "Фарш домашний 400 г": "Mince homestyle 400 g",
  "Колбаса Докторская 400 г": "Sausage Doktorskaya 400 g",
  "Сосиски молочные 500 г": "Frankfurters 500 g",
  "Шашлык свиной": "Pork kebab",
  "Форель слабосолёная 200 г": "Lightly salted trout 200 g",
  "Минтай без головы": "Headless pollock",
  "Яйца С1 10 шт": "Eggs medium 10 pcs",
  "Яйца С0 10 шт": "Eggs large 10 pcs",

  "Кофе в зёрнах 250 г": "Coffee beans 250 g",
  "Кофе молотый 1 кг": "Ground coffee 1 kg",
  "Чай чёрный 100 пакетиков": "Black tea 100 bags",
  "Чай зелёный 25 пакетиков": "Green tea 25 bags",
  "Сок яблочный 1 л": "Apple juice 1 l",
  "Вода Ключ 1,5 л": "Water Clear Spring 1.5 l",
  "Вода Ключ 5 л": "Water Clear Spring 5 l",
  "Квас хлебный 2 л": "Kvass rye 2 l",
  "Шоколад молочный 90 г": "Milk chocolate 90 g",
  "Шоколад горький 90 г": "Dark chocolate 90 g",
  "Печенье овсяное 300 г": "Oatmeal biscuits 300 g",
  "Мороженое пломбир 80 г": "Ice cream vanilla 80 g",
  "Игристое 0,75 л": "Sparkling wine 0.75 l",

  "Средство для посуды 450 мл": "Washing-up liquid 450 ml",
  "Средство для посуды 900 мл": "Washing-up liquid 900 ml",
  "Порошок стиральный 1,5 кг": "Washing powder 1.5 kg",
  "Порошок стиральный 3 кг": "Washing powder 3 kg",
  "Полотенца бумажные 2 рулона": "Paper towels 2 rolls",
  "Бумага туалетная 4 рулона": "Toilet paper 4 rolls",
  "Бумага туалетная 12 рулонов": "Toilet paper 12 rolls",
  "Паста зубная 75 мл": "Toothpaste 75 ml",
  "Шампунь 400 мл": "Shampoo 400 ml",
  "Подгузники 50 шт": "Nappies 50 pcs",
  "Пюре яблоко 90 г": "Apple puree 90 g",
  "Пюре кабачок 80 г": "Courgette puree 80 g",
  "Корм для кошки 75 г": "Cat food 75 g",
  "Корм для кошки 12×75 г": "Cat food 12×75 g",
};

/** Where names are: of each table, the columns and what translates them. */
const NAMES = {
  products: { name: PRODUCTS },
  items: { name: ITEMS, unit_of_measure: UNITS, shop: SHOPS },
  labels: { name: LABELS },
  receipts: { shop: SHOPS },
};

/** The same tables with English names. */
export function inEnglish(tables) {
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [
      name,
      rows.map((row) => ({ ...row, ...named(row, NAMES[name] ?? {}) })),
    ]),
  );
}

/** The English names of a row. */
function named(row, columns) {
  return Object.fromEntries(
    Object.entries(columns).map(([column, english]) => {
      const russian = row[column];
      if (!Object.hasOwn(english, russian)) throw new Error(`no English name: ${russian}`);
      return [column, english[russian]];
    }),
  );
}
